import { expect } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import { foldAll, replay } from '../../src/core/journal.ts';
import type { LoopId, Spec, State } from '../../src/core/loop.ts';
import type { World } from './world.ts';

/** What must be true after any sequence of events, faults, crashes and clock jumps. */
export function holdInvariants(world: World, loops: ReadonlyMap<LoopId, Spec>): void {
  for (const [loop, spec] of loops) {
    const entries = world.entries(loop);
    oneDecisionPerRevision(entries);
    replayEqualsHistory(world, loop, entries);
    const state = world.store.load(loop)?.state;
    if (state === undefined) throw new Error('a started loop is there');
    limitsHold(state, entries);
    oneCountPerStop(entries);
    entries.forEach((entry) => provenOrNotComplete(spec, entry));
    sessionMindsItself(loop, entries);
  }
  replyImpliesCommit(world);
}

function oneDecisionPerRevision(entries: readonly Entry[]): void {
  expect(entries.map((entry) => entry.revision)).toEqual(entries.map((_, index) => index + 1));
}

function replayEqualsHistory(world: World, loop: LoopId, entries: readonly Entry[]): void {
  const again = replay(entries);
  expect(again.differences).toEqual([]);
  expect(foldAll(entries)?.state).toEqual(world.store.load(loop)?.state);
}

function limitsHold(state: State, entries: readonly Entry[]): void {
  // A turn whose checks were still running is not judged yet, and therefore not counted.
  const turns = entries.filter((entry) => entry.event.kind === 'turn-ended' && !isWaiting(entry));
  expect(state.counted).toBe(turns.length);
  // Only a human raises a limit; without that the number of turns stays within the original limit.
  const { iterationsMax } = state.limits;
  if (iterationsMax !== 'unlimited') expect(state.counted).toBeLessThanOrEqual(iterationsMax);
  const granted = entries.flatMap((entry) =>
    entry.event.kind === 'turn-ended' && entry.decision.kind === 'continue' && !isWaiting(entry)
      ? [entry.decision.iteration]
      : [],
  );
  expect(granted).toEqual([...new Set(granted)].toSorted((a, b) => a - b));
  expect(state.runningMs).toBeGreaterThanOrEqual(0);
}

/** A report that began before the last decision cannot be about a later turn. */
function oneCountPerStop(entries: readonly Entry[]): void {
  const turns = entries.filter((entry) => entry.event.kind === 'turn-ended' && !isWaiting(entry));
  turns.slice(1).forEach(({ event, evidence }, index) => {
    const last = turns[index];
    const isSame =
      event.kind === 'turn-ended' &&
      last?.event.kind === 'turn-ended' &&
      event.mark !== undefined &&
      event.mark.messageHash === last.event.mark?.messageHash;
    if (isSame && evidence.reporterBeganMs !== undefined && evidence.clock.boot === last.evidence.clock.boot)
      expect(evidence.reporterBeganMs).toBeGreaterThan(last.evidence.clock.monotonicMs);
  });
}

function isWaiting({ decision }: Entry): boolean {
  return (decision.kind === 'continue' || decision.kind === 'pause') && decision.waiting === true;
}

function provenOrNotComplete(spec: Spec, entry: Entry): void {
  if (entry.decision.kind !== 'complete' || entry.event.kind !== 'turn-ended') return;
  const passed = new Set(
    (entry.evidence.checks ?? []).filter((check) => check.result === 'passed').map((check) => check.name),
  );
  expect(spec.checks.filter((check) => !passed.has(check.name))).toEqual([]);
  expect(entry.decision.verified).toBe(spec.checks.length > 0);
  if (spec.checks.length === 0) expect(entry.evidence.claim?.made).not.toBeNull();
}

/** Loops of a session get marks of their own session only (the mark's hash names it). */
function sessionMindsItself(loop: LoopId, entries: readonly Entry[]): void {
  for (const { event } of entries) {
    if (event.kind === 'turn-ended' && event.mark !== undefined)
      expect(event.mark.messageHash.startsWith(`${loop}:`)).toBe(true);
  }
}

function replyImpliesCommit(world: World): void {
  for (const { flight, handled } of world.landed) {
    if (handled.decision.kind === 'abstain') {
      expect(flight.commits).toBe(0);
    } else {
      expect(flight.commits).toBe(1);
      const revision = handled.loaded?.head.revision ?? 0;
      expect(world.entries(flight.loop)[revision - 1]?.event).toEqual(flight.event);
    }
  }
}
