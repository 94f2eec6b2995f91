import { textIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { Shape } from '../shaped.ts';
import { decodeShaped } from '../shaped.ts';

const SHAPE: Shape = {
  host: 'codex',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  message: (fields) => textIn(fields, 'last_assistant_message')?.replaceAll(ESCAPED_TAG, '<$1>$2</$1>'),
};

/** The agent reads our prompts with `&lt;` for `<`, and may claim in the same letters: such a line is the tag it stands for. */
const ESCAPED_TAG = /^[ \t]*&lt;([\w-]+)&gt;(.*)&lt;\/\1&gt;[ \t]*$/gmu;

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodeShaped(SHAPE, payload, environment);
}
