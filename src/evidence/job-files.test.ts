import { describe, expect, it } from 'vitest';
import { parseOwn } from './job-files.ts';

describe('a file of a job that someone damaged', () => {
  it('counts as missing', () => {
    for (const text of ['', '{', 'null', '1', '"pid"', '[]', '{"other":1}'])
      expect(parseOwn(text, 'pid')).toBeUndefined();
  });

  it('is read when it contains what it should', () => {
    expect(parseOwn('{"pid":1}', 'pid')).toEqual({ pid: 1 });
  });
});
