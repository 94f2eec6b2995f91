import { describe, expect, it } from 'vitest';
import { aClock } from '../../test/support/a-loop.ts';
import { aSessionSpec } from '../../test/support/drafts.ts';
import { openMemoryStore } from '../stores/memory-store.ts';
import { embeddedControl } from './control.ts';
import { probeNothing } from './probe-nothing.ts';

const SESSION = { host: 'claude-code', id: 's1' };

describe('the control of loops on this machine', () => {
  it('looks for a state file of loops that have a dialect, and of no others', async () => {
    const asked: string[] = [];
    const control = embeddedControl(openMemoryStore(), {
      readClock: () => aClock(),
      probe: async (batch) => probeNothing(batch),
      liveFileOf: async ({ dialect }, cwd) => {
        asked.push(`${dialect?.name} in ${cwd}`);
        return undefined;
      },
    });
    const request = { session: null, cwd: '/project', machine: 'm' };
    await control.start({ ...request, loop: 'own', spec: aSessionSpec() });
    await control.start({
      ...request,
      loop: 'theirs',
      spec: aSessionSpec({ dialect: { name: 'ralph-wiggum', file: 'a.md' } }),
    });
    await control.cancel('own');
    expect(asked).toEqual([]);
    await control.cancel('theirs');
    expect(asked).toEqual(['ralph-wiggum in /project']);
    expect((await control.get('own'))?.state.status).toBe('cancelled');
  });

  it('binds the session of a new loop', async () => {
    const store = openMemoryStore();
    const control = embeddedControl(store, {
      readClock: () => aClock(),
      probe: async (batch) => probeNothing(batch),
    });
    await control.start({ session: SESSION, cwd: '/project', machine: 'm', loop: 'a', spec: aSessionSpec() });
    expect(store.loopOfSession(SESSION)).toBe('a');
  });
});
