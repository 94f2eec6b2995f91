import { messageWithTags } from '../escaped-tags.ts';
import { nameIn, numberIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';
import { WORK_SIGNS } from './work-signs.ts';

/** The share of the model's context that may be used; a turn needs the rest. */
const CONTEXT_FULL = 0.97;

/** The largest cap that Qwen Code accepts, which `install` sets. */
const BLOCK_CAP_MAX = 100;
const BLOCK_CAP_DEFAULT = 8;

const RULES: PayloadRules = {
  host: 'qwen',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  workSigns: WORK_SIGNS,
  promptName: 'timestamp',
  message: messageWithTags,
  otherLoopSigns: { transcript: '"subtype":"goal_state"' },
  // The same for all hooks of an event.
  stopName: (fields) => nameIn(fields, 'timestamp'),
  report: (fields, { variables }) => ({
    contextFull: numberIn(fields, 'context_usage') >= CONTEXT_FULL,
    repliesInRowMax: blockCap(nameIn(variables, 'QWEN_CODE_STOP_HOOK_BLOCK_CAP')) - 1,
  }),
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}

/** As Qwen Code reads it. It ignores the last reply of a row. Tool calls do not restart the count. */
function blockCap(text: string | undefined): number {
  if (text === undefined) return BLOCK_CAP_MAX;
  const cap = Number(text);
  return Number.isInteger(cap) && cap >= 1 ? Math.min(cap, BLOCK_CAP_MAX) : BLOCK_CAP_DEFAULT;
}
