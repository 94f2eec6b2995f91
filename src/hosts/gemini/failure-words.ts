import type { Fields } from '../fields.ts';
import { nameIn } from '../fields.ts';

export function failureWords(record: Fields): string {
  return nameIn(record, 'content') ?? '';
}
