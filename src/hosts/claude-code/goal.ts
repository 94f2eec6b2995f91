import type { Fields } from '../fields.ts';
import { fieldsOf } from '../fields.ts';

/** Claude Code writes this when its goal is set, judged, met or cleared; a goal that was cleared counts as met. */
export function goalStatus({ type, attachment }: Fields): string | null {
  const status = type === 'attachment' ? fieldsOf(attachment) : undefined;
  if (status?.['type'] !== 'goal_status') return null;
  return status['met'] === false ? 'active' : 'cleared';
}
