import { describe, expect, it } from 'vitest';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import { aStopOf } from '../../test/support/dialect-probe.ts';
import { athena } from '../dialects/athena/dialect.ts';
import { renderTracker } from '../dialects/athena/write.ts';
import { runSync } from './pipeline.ts';
import { withoutWrites } from './rehearse.ts';

const FILE = '.athena/sessions/s-1/loop-tracker.md';
const PATH = `/project/${FILE}`;
const TEXT = renderTracker(
  { active: true, iteration: 0, maxIterations: 1, completionMarker: 'X!', body: 'body' },
  'now',
);
const stop = (size: number): ReturnType<typeof aStopOf> =>
  aStopOf(athena, FILE, { message: 'hm', size, session: 'session-1' });

describe('effects without writes', () => {
  it('decides as the real world would, again and again, and leaves no trace in it', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, TEXT);
    const rehearsal = withoutWrites(world.effects);
    expect(runSync(stop(1), rehearsal).decision.kind).toBe('continue');
    expect(runSync(stop(2), rehearsal).decision.kind).toBe('halt');
    expect(runSync(stop(3), rehearsal).decision.kind).toBe('abstain');
    expect([world.files.get(PATH), world.store.list({ ended: 'both' }), world.loop(FILE)]).toEqual([
      TEXT,
      [],
      undefined,
    ]);
  });

  it('begins where the real world stands', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, TEXT);
    runSync(stop(1), world.effects);
    const before = world.loop(FILE);
    expect(runSync(stop(2), withoutWrites(world.effects)).decision.kind).toBe('halt');
    expect(world.loop(FILE)).toEqual(before);
    expect(runSync(stop(2), world.effects).decision.kind).toBe('halt');
  });
});
