import { messageWithTags } from '../escaped-tags.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';

const RULES: PayloadRules = {
  host: 'codex',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  message: messageWithTags,
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}
