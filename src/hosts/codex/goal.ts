import type { Fields } from '../fields.ts';
import { fieldsOf } from '../fields.ts';
import { statusOfGoal } from '../native-goal.ts';
import { parseRecord } from '../transcript.ts';

/** Codex sends this text to the agent whenever its own goal continues, and `user_goal` when the user set, paused or cleared it. */
const CONTINUED = '<codex_internal_context source="goal">';
const SET_BY_USER = '<codex_internal_context source="user_goal">';

export function goalStatus(record: Fields): string | null {
  const payload = fieldsOf(record['payload']) ?? {};
  switch (payload['type']) {
    case 'thread_goal_updated':
      return statusOfGoal(payload);
    // The results of the agent's own goal tools.
    case 'function_call_output':
      return typeof payload['output'] === 'string' ? statusOfGoal(parseRecord(payload['output']) ?? {}) : null;
    case 'message':
      return payload['role'] === 'user' ? statusInText(payload['content']) : null;
    default:
      return null;
  }
}

function statusInText(content: unknown): string | null {
  const text = Array.isArray(content) ? fieldsOf(content[0])?.['text'] : undefined;
  if (typeof text !== 'string') return null;
  if (text.startsWith(CONTINUED)) return 'active';
  if (!text.startsWith(SET_BY_USER)) return null;
  return /goal status: "(\w+)"/u.exec(text)?.[1] ?? 'cleared';
}
