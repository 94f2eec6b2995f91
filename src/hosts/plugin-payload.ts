import type { Failure } from '../core/event.ts';
import type { Usage } from '../core/evidence.ts';
import { classifyError } from '../core/failure-class.ts';
import type { Fields } from './fields.ts';
import { fieldsOf, nameIn, numberIn } from './fields.ts';
import type { HostEnvironment } from './host.ts';
import type { PayloadRules } from './shared-payload.ts';

/** The payload of our own plugins (`plugins/`): the one that most hosts share, and what only a plugin knows. */
export const PLUGIN_PAYLOAD: Omit<PayloadRules, 'host'> = {
  meanings: {
    Stop: 'stop',
    StopFailure: 'failure',
    TurnAborted: 'abort',
    SessionStart: 'session-start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'tool',
  },
  commandsInPrompts: true,
  reportsCompactions: true,
  failure: failureOf,
  report: (fields) => ({ usage: usageOf(fields) }),
};

/** The host has already retried by itself. */
function failureOf(fields: Fields, { nowMs }: HostEnvironment): Failure {
  const error = nameIn(fields, 'error');
  const found = classifyError(`status ${numberIn(fields, 'status')}: ${error ?? ''}`, nowMs());
  return error === undefined ? { ...found, detail: 'the turn failed', unexplained: true } : { ...found, detail: error };
}

/** These hosts report a cost of 0 for a model without a price: 0 counts as unknown, and so do 0 tokens. */
function usageOf(fields: Fields): Usage {
  const usage = fieldsOf(fields['usage']) ?? {};
  return { costUsd: numberIn(usage, 'cost_usd') || 'unknown', tokens: numberIn(usage, 'tokens') || 'unknown' };
}
