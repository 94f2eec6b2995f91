import type { Fields } from '../fields.ts';
import { fieldsOf, nameIn } from '../fields.ts';

export function failureWords(record: Fields): string {
  return nameIn(fieldsOf(record['data']) ?? {}, 'message') ?? '';
}
