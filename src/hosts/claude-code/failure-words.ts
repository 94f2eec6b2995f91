import { classifyError } from '../../core/failure-class.ts';
import type { Fields } from '../fields.ts';
import { fieldsOf, itemsIn, nameIn } from '../fields.ts';

/** The kind of the error, and the text that the user saw. A hook gets the same. */
export function failureWords(record: Fields): string {
  const shown = itemsIn(fieldsOf(record['message']) ?? {}, 'content').map((part) =>
    nameIn(fieldsOf(part) ?? {}, 'text'),
  );
  return failureDetail(nameIn(record, 'error'), shown[0]);
}

export function failureDetail(error = 'unknown', words?: string): string {
  return words === undefined ? error : `${error}: ${words}`;
}

export function classifyFailure(detail: string, nowMs: number): ReturnType<typeof classifyError> {
  return /\bprompt is too long\b/iu.test(detail) ? { class: 'context-full' } : classifyError(detail, nowMs);
}
