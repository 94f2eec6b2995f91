import { parseJson } from '../../core/parse-json.ts';

/** Narrow readers of a stream of JSON objects, one per line. A value of the wrong kind counts as missing. */
export type Fields = Readonly<Record<string, unknown>>;

/** Enough for a line with a whole large file in it; a longer line is skipped. */
export const LINE_CHARS_MAX: number = 8 * 1024 * 1024;

export type LineReader = {
  /** The objects on the lines that ended with this piece; `null` for a line that is not an object, or is too long. */
  readonly push: (text: string) => readonly (Fields | null)[];
  /** The last line, if it has no line ending. */
  readonly flush: () => readonly (Fields | null)[];
};

export function jsonLineReader(): LineReader {
  let begun = '';
  let isTooLong = false;
  const take = (line: string): readonly (Fields | null)[] => {
    const fields = isTooLong ? null : line.trim() === '' ? undefined : fieldsOf(parseJson(line));
    isTooLong = false;
    return fields === undefined ? [] : [fields];
  };
  return {
    push: (text) => {
      const [rest = '', ...others] = text.split('\n');
      const lines = [begun + rest, ...others];
      begun = lines.pop() ?? '';
      const found = lines.flatMap(take);
      if (begun.length > LINE_CHARS_MAX) {
        begun = '';
        isTooLong = true;
      }
      return found;
    },
    flush: () => {
      const last = begun;
      begun = '';
      return take(last);
    },
  };
}

export function fieldsOf(value: unknown): Fields | null {
  return isFields(value) ? value : null;
}

export function textIn(fields: Fields | null, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(fields: Fields | null, name: string): number | undefined {
  const value = fields?.[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function objectsIn(fields: Fields | null, name: string): readonly Fields[] {
  const value = fields?.[name];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
