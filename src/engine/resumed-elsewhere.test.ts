import { expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { loopOf } from '../core/journal.ts';
import { resumedElsewhere } from './resumed-elsewhere.ts';

it('a loop that a command continued has not had its prompt delivered', () => {
  const running = { ...loopOf(aSpec(), aState({ phase: 'working' })), head: { revision: 1, hash: 'h' } };
  expect(resumedElsewhere(running)).toMatchObject({
    decision: { kind: 'continue' },
    loaded: { state: { phase: 'ready' } },
  });
});
