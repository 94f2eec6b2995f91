import type { Fields } from '../fields.ts';
import { fieldsOf } from '../fields.ts';
import { statusOfGoal } from '../native-goal.ts';

/** Qwen Code writes the whole state of its goal whenever it changes. */
export function goalStatus({ subtype, systemPayload }: Fields): string | null {
  if (subtype !== 'goal_state') return null;
  return statusOfGoal(fieldsOf(fieldsOf(systemPayload)?.['snapshot']) ?? {}) ?? 'cleared';
}
