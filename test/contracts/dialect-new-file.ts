import { expect, it } from 'vitest';
import { Fault } from '../../src/core/fault.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import {
  absolute,
  after,
  aStop,
  mustLoad,
  mustRead,
  mustText,
  NOT_DONE,
  PLENTY,
  roomy,
  sessionOf,
  stop,
} from '../support/dialect-sample.ts';

const REMOVED = { kind: 'cancelled', because: 'file-removed' };

/** A new file in the place of the old one, and a disk that does not take what is written. */
export function newFiles(dialect: Dialect, sample: DialectSample): void {
  const fresh = roomy(sample).text;
  const { counted, session, hasWork } = mustRead(dialect, fresh);
  // Finished work beside an older counter is a slip of the agent that keeps the file.
  const isFresh = hasWork !== true;

  it.runIf(isFresh).each([1, 2, 3])(
    'is a new loop with all of its turns when written again after %i stops',
    (stops) => {
      const world = after(stops, dialect, sample);
      if (world === undefined) return;
      const old = mustLoad(world, sample).state.loop;
      world.files.delete(absolute(sample));
      world.files.set(absolute(sample), fresh);
      expect(stop(world, sample).decision).toMatchObject({ kind: 'continue' });
      expect(world.store.load(old)?.state.outcome).toEqual(REMOVED);
      const { state } = mustLoad(world, sample);
      expect([state.loop === old, state.counted]).toEqual([false, counted + 1]);
    },
  );

  it.runIf(session === null && isFresh)('belongs to the session whose stop meets a new file first', () => {
    const world = after(1, dialect, sample);
    if (world === undefined) return;
    world.files.set(absolute(sample), fresh);
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').decision.kind).toBe('continue');
    expect(stop(world, sample).decision.kind).toBe('abstain');
    expect(mustLoad(world, sample).state.session?.id).toBe('somebody-else');
  });

  it.runIf(session === null)('is adopted from a session that is silent for half an hour', () => {
    const world = after(1, dialect, sample);
    // One document writes the name of the first session into its file.
    if (world === undefined || mustRead(dialect, mustText(world, sample)).session !== null) return;
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').decision.kind).toBe('abstain');
    world.wait(31 * 60 * 1000);
    const { loop } = mustLoad(world, sample).state;
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').loaded?.state).toMatchObject({
      loop,
      session: { id: 'somebody-else' },
    });
  });

  it.each(['commit', 'replaceFile', 'countTurn'] as const)('lets the agent stop where %s fails', (effect) => {
    const world = after(1, dialect, sample);
    if (world === undefined) return;
    const fails = (): never => {
      throw new Fault('STORE_FULL', 'the disk is full');
    };
    for (let size = 50; size < 50 + PLENTY / 10; size++)
      expect(() => runSync(aStop(dialect, sample, size), { ...world.effects, [effect]: fails })).toThrow('full');
    expect(mustLoad(world, sample).state.session?.id).toBe(sessionOf(sample));
  });
}
