import { describe, expect, it } from 'vitest';
import { NATIVE_CLAIM } from './claim.ts';
import type { FileReading } from './foreign-file.ts';
import { isContinuation, isOwnerSilent, OWNER_SILENT_MS } from './foreign-file.ts';

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

const continues = (written: Parameters<typeof isContinuation>[0], reading: ReturnType<typeof aReading>): boolean =>
  isContinuation(written, reading, false);

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

  it('in a turn that the loop asked for, unless its id or start time is that of another one: the agent may have written it', () => {
    const older = aReading({ counted: 0, identity: { goal: 'in other words', startedAt: 'a' } });
    expect(isContinuation({ identity: { goal: 'a', startedAt: 'a' }, counted: 3 }, older, true)).toBe(true);
    expect(isContinuation({ identity: { goal: 'a', startedAt: 'b' }, counted: 3 }, older, true)).toBe(false);
    expect(isContinuation({ identity: { id: 'b' }, counted: 3 }, aReading({ identity: { id: 'a' } }), true)).toBe(
      false,
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
