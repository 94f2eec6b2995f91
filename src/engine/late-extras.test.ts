import { expect, it } from 'vitest';
import { aCheck, aSpec, aState } from '../../test/support/a-loop.ts';
import { loopOf } from '../core/journal.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import { lateExtras } from './late-extras.ts';

const READING = stravinsky.read(
  '---\niteration_count: 1\nmax_iterations: 9\ncompletion_promise: GREEN\nactive: true\n---\nmine\n',
);
const EXTRAS = { checks: [aCheck('unit')] };
const found = (status: 'running' | 'completed') => ({
  ...loopOf(aSpec({ driver: 'session' }), aState({ status })),
  head: { revision: 1, hash: 'h' },
});

it('a loop without checks gets those of the hook as long as it is open and its file is a loop', () => {
  expect(lateExtras(found('running'), READING, EXTRAS)).toMatchObject({ kind: 'file-edited' });
  expect(lateExtras(found('completed'), READING, EXTRAS)).toBeNull();
  expect(lateExtras(found('running'), null, EXTRAS)).toBeNull();
});
