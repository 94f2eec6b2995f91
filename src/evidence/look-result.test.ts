import { expect, it } from 'vitest';
import { lookResult } from './file-probes.ts';

it('a look at files answers with its name, its time and what it saw', () => {
  const look = { result: 'failed', detail: 'it is not there' } as const;
  expect(lookResult('note', 7, look)).toEqual({
    name: 'note',
    result: 'failed',
    durationMs: 7,
    tail: 'it is not there',
  });
});
