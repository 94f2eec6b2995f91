import { describe, expect, it } from 'vitest';
import { aDraft, aStartDraft, begin, commit, steering } from '../../test/support/drafts.ts';
import type { SimulatedFault } from './memory-store.ts';
import { openMemoryStore } from './memory-store.ts';

describe('memory store', () => {
  const failing = (next: { mishap: SimulatedFault }) =>
    openMemoryStore({ fail: (operation) => (operation === 'commit' ? next.mishap : undefined) });

  it('fails before a commit without a trace', () => {
    const next: { mishap: SimulatedFault } = { mishap: undefined };
    const store = failing(next);
    const begun = begin(store, 'a');
    next.mishap = 'before';

    expect(() => commit(store, begun, steering('x'))).toThrow('nothing was written');
    expect(store.load('a')).toEqual(begun);
  });

  it('fails after a commit that nobody learns of', () => {
    const next: { mishap: SimulatedFault } = { mishap: undefined };
    const store = failing(next);
    const begun = begin(store, 'a');
    next.mishap = 'after';

    expect(() => commit(store, begun, steering('x'))).toThrow('it was written anyway');
    expect(store.load('a')?.state.steering).toEqual(['x']);
    next.mishap = undefined;
    expect(store.commit('a', begun.head, aDraft(begun, steering('x')))).toEqual({ kind: 'conflict' });
  });

  it('makes up a conflict on demand', () => {
    const next: { mishap: SimulatedFault } = { mishap: undefined };
    const store = failing(next);
    const begun = begin(store, 'a');
    next.mishap = 'conflict';

    expect(store.commit('a', begun.head, aDraft(begun, steering('x')))).toEqual({ kind: 'conflict' });
    expect(store.load('a')).toEqual(begun);
  });

  it('fails to load and to create on demand', () => {
    const store = openMemoryStore({ fail: () => 'before' });

    expect(() => store.load('a')).toThrow('Cannot read loop a');
    expect(() => store.create('a', aStartDraft('a'))).toThrow('Cannot write loop a');
  });

  it('passes its crash points', () => {
    const passed: string[] = [];
    begin(openMemoryStore({ crashPoint: (name) => passed.push(name) }), 'a');

    expect(passed).toEqual(['before-append', 'after-append', 'before-append', 'after-append']);
  });
});
