import { messageWithTags } from '../escaped-tags.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { Shape } from '../shaped.ts';
import { decodeShaped } from '../shaped.ts';

const SHAPE: Shape = {
  host: 'codex',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  message: messageWithTags,
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodeShaped(SHAPE, payload, environment);
}
