import { describe, expect, it } from 'vitest';
import { aState } from '../../test/support/a-loop.ts';
import { Fault } from '../core/fault.ts';
import { startsNewLoop, isEdited, readLiveFile } from './live-file.ts';

describe('a foreign file after the end of its loop', () => {
  const endedAt = '2026-01-01T00:00:10.000Z';
  const end = Date.parse(endedAt);
  const removed = aState({ endedAt, file: { read: 'r', written: null, older: [] } });

  it('begins anew when its bytes are new', () => {
    expect(startsNewLoop(removed, { text: '', hash: 'x' })).toBe(true);
  });

  it('begins anew with the old bytes when they were written after the end, also where the loop left others', () => {
    const kept = aState({ endedAt, file: { read: 'r', written: 'w', older: [] } });
    expect(startsNewLoop(kept, { text: '', hash: 'r', changedMs: end + 1 })).toBe(true);
    expect(startsNewLoop(removed, { text: '', hash: 'r', changedMs: end + 1 })).toBe(true);
    expect(startsNewLoop(removed, { text: '', hash: 'r', changedMs: end - 1 })).toBe(false);
    expect(startsNewLoop(removed, { text: '', hash: 'r' })).toBe(false);
  });

  it('is what the loop left, whenever that was written', () => {
    const kept = aState({ endedAt, file: { read: 'r', written: 'w', older: [] } });
    expect(startsNewLoop(kept, { text: '', hash: 'w', changedMs: end + 1 })).toBe(false);
    expect(startsNewLoop(kept, { text: '', hash: 'r', changedMs: end - 1 })).toBe(false);
  });
});

describe('a foreign file while its loop runs', () => {
  const updatedAt = '2026-01-01T00:00:10.000Z';
  const commit = Date.parse(updatedAt);
  const state = aState({ updatedAt, file: { read: 'r', written: 'w', older: ['o'] } });

  it('is not edited when it is what was written, or what was read and not replaced before the power failed', () => {
    for (const hash of ['w', 'o', 'r']) expect(isEdited(state, { text: '', hash, changedMs: commit - 1 })).toBe(false);
    expect(isEdited(state, { text: '', hash: 'r' })).toBe(false);
  });

  it('is edited when the bytes that were read are written again after the commit', () => {
    expect(isEdited(state, { text: '', hash: 'r', changedMs: commit + 1 })).toBe(true);
    expect(isEdited(state, { text: '', hash: 'w', changedMs: commit + 1 })).toBe(false);
  });
});

describe('an earlier text of the loop in its file', () => {
  const state = aState({ file: { read: 'r', written: 'w', older: ['o'] } });

  it('is a late write when the loop wrote it, or when nobody can tell', () => {
    expect(isEdited(state, { text: '', hash: 'o', isOurs: true })).toBe(false);
    expect(isEdited(state, { text: '', hash: 'o' })).toBe(false);
  });

  it('is an edit when someone else wrote it', () => {
    expect(isEdited(state, { text: '', hash: 'o', isOurs: false })).toBe(true);
    expect(isEdited(state, { text: '', hash: 'w', isOurs: false })).toBe(false);
  });
});

describe('a foreign file before anything was noted of it', () => {
  it('counts as edited only when it is gone', () => {
    const unknown = aState({ file: null });
    expect(isEdited(unknown, null)).toBe(true);
    expect(isEdited(unknown, { text: '', hash: 'x' })).toBe(false);
  });
});

describe('a foreign file that the system does not let us read', () => {
  const live = {
    path: '/p',
    dialect: { name: 'd', read: () => ({ kind: 'invalid', why: 'text' }) as const, project: () => null },
  };
  const readBy = (error: Error) => {
    const steps = readLiveFile(live);
    steps.next();
    return steps.throw(error).value;
  };

  it('is one that says nothing, with the reason', () => {
    expect(readBy(new Fault('STORE_UNREADABLE', 'Cannot read /p: permission denied.'))).toEqual({
      bytes: null,
      reading: { kind: 'invalid', why: 'Cannot read /p: permission denied.' },
    });
  });

  it('is not mistaken for a bug', () => {
    expect(() => readBy(new TypeError('x is not a function'))).toThrowError(TypeError);
  });
});
