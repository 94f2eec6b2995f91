import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { loopOf } from '../core/journal.ts';
import type { Spec, State } from '../core/loop.ts';
import { releaseIfEnded } from './release-loop.ts';

const SESSION = { host: 'claude-code', id: 's1' };

async function released(spec: Partial<Spec>, state: Partial<State>): Promise<string[]> {
  const calls: string[] = [];
  const loop = loopOf(
    aSpec({ driver: 'session', ...spec }),
    aState({ session: SESSION, status: 'completed', ...state }),
  );
  await releaseIfEnded(
    { ...loop, head: { revision: 1, hash: 'h' } },
    {
      endChecks: async (id) => void calls.push(`checks of ${id}`),
      removeHooks: async ({ id }, cwd) => void calls.push(`hooks of ${id} in ${cwd}`),
    },
  );
  return calls;
}

describe('a loop that ended', () => {
  it('leaves no check running and no hook behind', async () => {
    expect(await released({}, {})).toEqual(['checks of a-loop', 'hooks of s1 in /project']);
  });

  it('has no hooks of its own without a session, or in a state file', async () => {
    expect(await released({}, { session: null })).toEqual(['checks of a-loop']);
    expect(await released({ dialect: { name: 'ralph-wiggum', file: 'a.md' } }, {})).toEqual(['checks of a-loop']);
  });

  it('keeps everything until then', async () => {
    expect(await released({}, { status: 'running' })).toEqual([]);
  });
});
