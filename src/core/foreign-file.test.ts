import { describe, expect, it } from 'vitest';
import { NATIVE_CLAIM } from './claim.ts';
import type { FileReading } from './foreign-file.ts';
import { isOwnerSilent, OWNER_SILENT_MS, relationOfFile } from './foreign-file.ts';

type Document = FileReading & { kind: 'loop' };

function aReading(changes: Partial<Document> = {}): Document {
  return {
    kind: 'loop',
    active: true,
    session: null,
    goal: 'make it',
    claim: NATIVE_CLAIM,
    criteria: [],
    counted: 3,
    iterationsMax: 9,
    continuation: '',
    ...changes,
  };
}

const continues = (written: Parameters<typeof relationOfFile>[0], reading: ReturnType<typeof aReading>): boolean =>
  relationOfFile(written, reading, false) !== 'new-loop';

describe('a file is a continuation of what was written', () => {
  it('when nothing but its counter was raised, or nothing tells it apart', () => {
    expect(continues({ identity: undefined, counted: 3 }, aReading({ counted: 5 }))).toBe(true);
    expect(continues({ identity: undefined, counted: undefined }, aReading({ counted: 0 }))).toBe(true);
    expect(continues({ identity: { startedAt: 'a' }, counted: 3 }, aReading({ identity: {} }))).toBe(true);
  });

  it('unless its id, its start time, its identifying goal or a lower counter is that of another one', () => {
    for (const part of ['id', 'startedAt', 'goal'] as const)
      expect(continues({ identity: { [part]: 'a' }, counted: 3 }, aReading({ identity: { [part]: 'b' } }))).toBe(false);
    expect(continues({ identity: undefined, counted: 4 }, aReading())).toBe(false);
  });

  it('when an agent that counts itself wrote an older counter beside finished work', () => {
    const late = { agentCounts: true, counted: 0 } as const;
    expect(continues({ identity: undefined, counted: 2 }, aReading({ ...late, hasWork: true }))).toBe(true);
    expect(continues({ identity: undefined, counted: 2 }, aReading(late))).toBe(false);
  });
});

describe('in a turn that the loop asked for, a file', () => {
  const written = { identity: { goal: 'a', startedAt: 's', topic: 't' }, counted: 3 };
  const inTurn = (identity: NonNullable<Document['identity']>, counted: number, from = written.identity): string =>
    relationOfFile({ ...written, identity: from }, aReading({ identity, counted }), true);

  it('is an old copy when only its counter was set back', () => {
    expect(inTurn(written.identity, 0)).toBe('old-copy');
    expect(inTurn({}, 0)).toBe('old-copy');
  });

  it('is a continuation when only its goal was reworded', () => {
    expect(inTurn({ goal: 'b', topic: 'u' }, 3)).toBe('continuation');
  });

  it('is a new loop when its goal is another one and its counter was set back', () => {
    expect(inTurn({ goal: 'b' }, 0)).toBe('new-loop');
    expect(inTurn({ topic: 'u' }, 0)).toBe('new-loop');
  });

  it('is judged by its id and start time before its topic', () => {
    expect(inTurn({ startedAt: 's', topic: 'u' }, 0)).toBe('old-copy');
    expect(inTurn({ startedAt: 'later' }, 3)).toBe('new-loop');
    expect(relationOfFile({ identity: { id: 'b' }, counted: 3 }, aReading({ identity: { id: 'a' } }), true)).toBe(
      'new-loop',
    );
  });
});

describe('the session of a loop', () => {
  const moved = 5000;
  const now = moved + OWNER_SILENT_MS;

  it('is silent after half an hour without a stop and without a word in its transcript', () => {
    expect(isOwnerSilent(moved, undefined, now)).toBe(true);
    expect(isOwnerSilent(moved, undefined, now - 1)).toBe(false);
    expect(isOwnerSilent(moved, now - 1, now)).toBe(false);
  });
});
