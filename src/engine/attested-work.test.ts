import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { isAttestedWork, compareWithJournal } from './attested-work.ts';
import type { Store } from './ports.ts';

describe('isAttestedWork', () => {
  const byCommit = { digest: { gitCommit: 'c1' }, work: 'w1' };
  const byHash = { digest: { sha256: 'w1' }, work: 'w1' };

  it('is true for the same files, at the same commit where one is named', () => {
    expect(isAttestedWork(byCommit, { commit: 'c1', work: 'w1' })).toBe(true);
    expect(isAttestedWork(byHash, { commit: null, work: 'w1' })).toBe(true);
  });

  it('is false for changed files, another commit, and no checkout', () => {
    expect(isAttestedWork(byCommit, { commit: 'c1', work: 'w2' })).toBe(false);
    expect(isAttestedWork(byCommit, { commit: 'c2', work: 'w1' })).toBe(false);
    expect(isAttestedWork(byHash, null)).toBe(false);
  });
});

it('an attestation names an entry of the journal, if the journal is here', () => {
  const spec = aSpec();
  const head = { revision: 2, hash: 'newest' };
  const store = {
    load: (loop: string) => (loop === 'a-loop' ? { spec, asked: spec, state: aState(), head } : undefined),
    entries: () => [{ prev: null }, { prev: 'first' }],
  } as never as Pick<Store, 'load' | 'entries'>;
  expect(compareWithJournal(store, 'a-loop', 'newest')).toBe('contains');
  expect(compareWithJournal(store, 'a-loop', 'first')).toBe('contains');
  expect(compareWithJournal(store, 'a-loop', 'other')).toBe('differs');
  expect(compareWithJournal(store, 'b-loop', 'newest')).toBe('not-here');
});
