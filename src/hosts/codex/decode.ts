import { messageWithTags } from '../escaped-tags.ts';
import { fieldsOf } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';
import { WORK_SIGNS } from './work-signs.ts';

const RULES: PayloadRules = {
  host: 'codex',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  workSigns: WORK_SIGNS,
  promptName: 'turn_id',
  reportsCompactions: true,
  message: messageWithTags,
  otherLoopSigns: { transcript: 'codex_internal_context source=' },
  isGoalMet: (tool, input) => tool === 'update_goal' && fieldsOf(input)?.['status'] === 'complete',
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}
