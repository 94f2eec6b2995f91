import { describe, expect, it } from 'vitest';
import { jsonLineReader, LINE_CHARS_MAX } from './json-lines.ts';

describe('jsonLineReader', () => {
  it('puts lines together, and gives the last one when the stream ends', () => {
    const reader = jsonLineReader();
    expect(reader.push('{"a":')).toEqual([]);
    expect(reader.push('1}\r\n\n{"b":2}\nnot json\n[1]\n{"c":')).toEqual([{ a: 1 }, { b: 2 }, null, null]);
    expect(reader.push('3}')).toEqual([]);
    expect(reader.flush()).toEqual([{ c: 3 }]);
    expect(reader.flush()).toEqual([]);
  });

  it('skips a line that is too long, and reads the next', () => {
    const reader = jsonLineReader();
    const half = 'x'.repeat(LINE_CHARS_MAX / 2 + 1);
    expect(reader.push(`{"a":"${half}`)).toEqual([]);
    expect(reader.push(half)).toEqual([]);
    expect(reader.push(`${half}"}\n{"b":2}\n`)).toEqual([null, { b: 2 }]);
  });
});
