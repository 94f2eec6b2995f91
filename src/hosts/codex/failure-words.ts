import type { Fields } from '../fields.ts';
import { fieldsOf, nameIn } from '../fields.ts';

/** A separate line, or the end of the turn. */
export function failureWords(record: Fields): string {
  const payload = fieldsOf(record['payload']) ?? {};
  const error = fieldsOf(payload['error']) ?? payload;
  const kind = nameIn(error, 'codex_error_info');
  const words = [kind === 'other' ? undefined : kind?.replaceAll('_', ' '), nameIn(error, 'message')];
  return words.filter((part) => part !== undefined).join(': ');
}
