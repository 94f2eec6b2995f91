import { expect, it } from 'vitest';
import { parseObject } from './parse-object.ts';

it('only an object is read as one', () => {
  for (const text of ['', '{', 'null', '[1]', '"a"', '1', 'true']) expect(parseObject(text)).toBeUndefined();
  expect(parseObject('{"ran":1}')).toEqual({ ran: 1 });
});
