import { describe, expect, it } from 'vitest';
import { isSameSession } from './loop.ts';

describe('a session', () => {
  const own = { host: 'claude-code', id: 'one' } as const;

  it('is the same by host and id, and by nothing less', () => {
    expect(isSameSession(own, { ...own })).toBe(true);
    expect(isSameSession(own, { ...own, id: 'two' })).toBe(false);
    expect(isSameSession(own, { ...own, host: 'codex' })).toBe(false);
  });

  it('is never nobody’s', () => {
    expect(isSameSession(null, null)).toBe(false);
    expect(isSameSession(own, null)).toBe(false);
    expect(isSameSession(null, own)).toBe(false);
  });
});
