import type { Fields } from '../fields.ts';
import { fieldsOf, nameIn } from '../fields.ts';

export function failureWords(record: Fields): string {
  const event = fieldsOf(fieldsOf(record['systemPayload'])?.['uiEvent']) ?? {};
  return nameIn(event, 'error_message') ?? '';
}
