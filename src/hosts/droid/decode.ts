import type { HostEnvironment, HostEvent } from '../host.ts';
import type { Shape } from '../shaped.ts';
import { decodeShaped } from '../shaped.ts';

const SHAPE: Shape = {
  host: 'droid',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  typed: unwrapped,
  silentWhenFailed: true,
  projectVariable: 'FACTORY_PROJECT_DIR',
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodeShaped(SHAPE, payload, environment);
}

/** A command that Droid found in a file comes as a notice; what was typed after it stands in there as it was. */
function unwrapped(prompt: string): string {
  return /^<system-notification>\n\n([^]*)\n\n<\/system-notification>$/u.exec(prompt)?.[1] ?? prompt;
}
