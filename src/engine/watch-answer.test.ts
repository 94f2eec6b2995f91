import { expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { Event } from '../core/event.ts';
import { loopOf } from '../core/journal.ts';
import type { Worker } from '../core/loop.ts';
import type { Loaded } from './ports.ts';
import { watchAnswer } from './watch-answer.ts';

const worker: Worker = { id: 'w1', machine: 'm', boot: 'b', pid: 1, startTime: 't' };

/** What a watcher journals while nobody answers and the lease of the loop is `holder`'s. */
async function journaled(holder: string): Promise<Event[]> {
  const state = aState({ status: 'paused', watcher: { ...worker, id: holder } });
  const loaded: Loaded = { ...loopOf(aSpec(), state), head: { revision: 1, hash: 'h' } };
  const noted: Event[] = [];
  const unused = (): never => {
    throw new Error('nobody answered');
  };
  let now = 0;
  await watchAnswer(
    {
      session: { host: 'claude-code', id: 's' },
      look: () => ({ loaded, isOver: false, takeAnswer: () => 'waits' }),
      post: unused,
      note: (event) => noted.push(event) > 0,
      entries: () => [],
      textFor: unused,
    },
    2000,
    {
      worker,
      isSessionOpen: () => false,
      startAgent: unused,
      handOver: null,
      sleep: async (ms) => void (now += ms),
      nowMs: () => now,
    },
  );
  return noted;
}

it('a watcher that gets no answer in time ends its lease', async () => {
  expect(await journaled('w1')).toMatchObject([
    { kind: 'watcher-began' },
    { kind: 'watcher-ended', worker: 'w1', why: 'overdue' },
  ]);
});

it('a watcher whose lease someone else has taken leaves it alone', async () => {
  expect(await journaled('w2')).toMatchObject([{ kind: 'watcher-began' }]);
});
