import { describe, expect, it } from 'vitest';
import { isAttestedWork } from './attested-work.ts';

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
