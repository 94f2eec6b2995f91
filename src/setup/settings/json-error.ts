import type { ParseError } from 'jsonc-parser';
import { parseTree, printParseErrorCode } from 'jsonc-parser';

/** Where a text stops being valid JSON, and why; the messages of JSON.parse differ between Node versions. */
export function firstJsonError(text: string): { readonly offset: number; readonly why: string } {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return { offset: 0, why: 'it is not JSON' };
  const words = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .toLowerCase();
  return { offset: first.offset, why: `it is not JSON (${words})` };
}
