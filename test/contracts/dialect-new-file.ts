import { expect, it } from 'vitest';
import { Fault } from '../../src/core/fault.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type { DialectHandled } from '../../src/engine/dialect-loop.ts';
import { annotated, crashingAt } from '../support/dialect-probe.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import type { DialectWorld } from '../support/dialect-world.ts';
import {
  absolute,
  activeReading,
  after,
  aStop,
  attempt,
  edit,
  holding,
  mustLoad,
  mustRead,
  mustText,
  NOT_DONE,
  PLENTY,
  roomy,
  sessionOf,
  stop,
  textOf,
} from '../support/dialect-sample.ts';

const REMOVED = { kind: 'cancelled', because: 'file-removed' };

/** A new file in place of the old one, and a disk that refuses to write. */
export function newFiles(dialect: Dialect, sample: DialectSample): void {
  const fresh = roomy(sample).text;
  const { counted, session, hasWork } = mustRead(dialect, fresh);
  // Finished work beside an older counter is a mistake of the agent that maintains the file.
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

  it.runIf(isFresh)('is a new loop when someone sets it back to a text that its loop wrote before', () => {
    const world = after(1, dialect, sample);
    const early = world === undefined ? undefined : mustText(world, sample);
    if (world === undefined || early === undefined) return;
    for (let stops = 1; stops < 3; stops++) if (stop(world, sample).decision.kind !== 'continue') return;
    const { counted: before, hasWork: worked } = mustRead(dialect, early);
    if (worked === true || mustLoad(world, sample).state.counted <= before) return;
    const old = mustLoad(world, sample).state.loop;
    world.files.set(absolute(sample), early);
    expect(stop(world, sample).decision).toMatchObject({ kind: 'continue' });
    expect(world.store.load(old)?.state.outcome).toEqual(REMOVED);
    expect(mustLoad(world, sample).state.counted).toBe(before + 1);
  });

  it.runIf(session === null)('belongs to the session whose stop meets a new file first', () => {
    const world = after(1, dialect, sample);
    if (world === undefined) return;
    world.files.set(absolute(sample), sample.another(fresh));
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').decision.kind).toBe('continue');
    expect(stop(world, sample).decision.kind).toBe('abstain');
    expect(mustLoad(world, sample).state.session?.id).toBe('somebody-else');
  });

  it('stays with the session at work whose agent wrote an old copy, even when another session stops', () => {
    const world = after(2, dialect, sample);
    if (world === undefined) return;
    const { loop } = mustLoad(world, sample).state;
    world.files.set(absolute(sample), fresh);
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').decision.kind).toBe('abstain');
    expect(sentBack(world, sample).decision.kind).toBe('continue');
    expect(mustLoad(world, sample).state).toMatchObject({ loop, counted: counted + 3 });
  });

  it.runIf(isFresh && session === null)('written again while its session rests, is a new loop of whoever stops', () => {
    const world = after(2, dialect, sample);
    if (world === undefined || mustRead(dialect, mustText(world, sample)).session !== null) return;
    const old = mustLoad(world, sample).state.loop;
    world.files.set(absolute(sample), fresh);
    world.wait(1000);
    const { wallMs } = world.effects.readClock();
    const restsSinceMs = (): number => wallMs;
    const visit = (): DialectHandled => world.stop(sample.file, NOT_DONE, 'somebody-else', { restsSinceMs });
    expect(visit().decision.kind).toBe('abstain');
    world.files.set(absolute(sample), fresh);
    expect(visit().decision.kind).toBe('continue');
    expect(world.store.load(old)?.state.outcome).toEqual(REMOVED);
    expect(mustLoad(world, sample).state).toMatchObject({ counted: counted + 1, session: { id: 'somebody-else' } });
  });

  it.each([1, 2, 3])(
    'is a new loop when another one is written in a turn that the loop asked for, after %i',
    (stops) => {
      const world = after(stops, dialect, sample);
      if (world === undefined) return;
      const old = mustLoad(world, sample).state.loop;
      world.files.delete(absolute(sample));
      world.files.set(absolute(sample), sample.another(fresh));
      expect(sentBack(world, sample).decision.kind).toBe('continue');
      expect(world.store.load(old)?.state.outcome).toEqual(REMOVED);
      const { state } = mustLoad(world, sample);
      expect([state.loop === old, state.counted]).toEqual([false, counted + 1]);
    },
  );

  it('keeps its loop when the agent only rewords the goal, in its turn and after it', () => {
    const world = after(2, dialect, sample);
    if (world === undefined) return;
    const { loop } = mustLoad(world, sample).state;
    const { identity: before } = mustRead(dialect, mustText(world, sample));
    const reworded = sample.another(mustText(world, sample));
    const { identity: now } = mustRead(dialect, reworded);
    if (before?.id !== now?.id || before?.startedAt !== now?.startedAt) return;
    world.files.set(absolute(sample), reworded);
    expect(sentBack(world, sample).decision.kind).toBe('continue');
    edit(world, sample, (text) => annotated(text, 'a note'));
    if (activeReading(dialect.read(mustText(world, sample))) === undefined) return;
    expect(stop(world, sample).decision.kind).toBe('continue');
    expect(mustLoad(world, sample).state).toMatchObject({ loop, counted: counted + 4 });
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

  it.runIf(session === null)('goes at once to the next session that stops when its own has ended', () => {
    const world = after(1, dialect, sample);
    if (world === undefined || mustRead(dialect, mustText(world, sample)).session !== null) return;
    const { loop } = mustLoad(world, sample).state;
    world.leave(sample.file, 'somebody-else');
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').decision.kind).toBe('abstain');
    world.leave(sample.file, sessionOf(sample));
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').loaded?.state).toMatchObject({
      loop,
      counted: counted + 2,
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

  it('counts no turn of an agent that stops because the file cannot be written', () => {
    const world = after(1, dialect, sample);
    if (world === undefined) return;
    const readOnly = (): never => {
      throw new Fault('STORE_FULL', 'the disk is full');
    };
    const failing = { ...world.effects, tryWrite: readOnly, replaceFile: readOnly };
    for (let size = 50; size < 54; size++) expect(() => runSync(aStop(dialect, sample, size), failing)).toThrow('full');
    expect(stop(world, sample).decision.kind).toBe('continue');
    expect(mustLoad(world, sample).state.counted).toBe(counted + 2);
    expect(mustRead(dialect, mustText(world, sample)).counted).toBe(counted + 2);
  });
}

/** Requests of a user for a loop whose file its agent, or someone else, has just written. */
export function commandsOnNewFiles(dialect: Dialect, sample: DialectSample): void {
  const fresh = roomy(sample).text;
  const written: [string, (now: string) => string][] = [
    ['its agent wrote an old copy', () => fresh],
    ['another one was written', () => sample.another(fresh)],
    ['the goal was reworded', (now) => sample.another(now)],
  ];
  const begun = (rewrite: (now: string) => string): DialectWorld | undefined => {
    const world = after(3, dialect, sample);
    if (world !== undefined) edit(world, sample, rewrite);
    return world;
  };
  const isQuiet = (world: DialectWorld): void => {
    for (const mine of [true, true, false])
      expect((mine ? sentBack : stop)(world, sample).decision.kind).toBe('abstain');
    expect(world.stop(sample.file, NOT_DONE, 'somebody-else').decision.kind).toBe('abstain');
  };

  it.each(written)('is cancelled by the user, and switched off, when %s', (_, rewrite) => {
    const world = begun(rewrite);
    if (world === undefined) return;
    const { decision, loaded } = world.post(sample.file, { kind: 'cancel-requested' });
    expect([decision.kind, loaded?.state.status]).toEqual(['cancel', 'cancelled']);
    const left = textOf(world, sample);
    expect(left === undefined ? undefined : activeReading(dialect.read(left))).toBeUndefined();
    isQuiet(world);
    expect(world.store.list({ ended: false })).toEqual([]);
  });

  it.each(written)('is paused by the user when %s, and continues after it', (_, rewrite) => {
    const world = begun(rewrite);
    if (world === undefined) return;
    const { decision, loaded } = world.post(sample.file, { kind: 'pause-requested' });
    expect([decision.kind, loaded?.state.status]).toEqual(['pause', 'paused']);
    isQuiet(world);
    world.post(sample.file, { kind: 'resume-requested' });
    expect(sentBack(world, sample).decision.kind).toBe('continue');
    expect(world.store.list({ ended: false })).toHaveLength(1);
  });

  it('is not resumed while its file cannot be read', () => {
    const world = after(1, dialect, sample);
    if (world === undefined) return;
    world.post(sample.file, { kind: 'pause-requested' });
    const good = mustText(world, sample);
    world.files.set(absolute(sample), '{ ---');
    expect(() => world.post(sample.file, { kind: 'resume-requested' })).toThrow('cannot be read');
    world.files.set(absolute(sample), good);
    expect(world.post(sample.file, { kind: 'resume-requested' }).loaded?.state.status).toBe('running');
  });
}

/** A stop of a turn that the loop itself asked for. */
function sentBack(world: DialectWorld, sample: DialectSample): DialectHandled {
  return world.stop(sample.file, NOT_DONE, sessionOf(sample), { sentBack: true });
}

/** The hook is killed at the first stop, and the user begins again. */
export function newFilesAfterKill(dialect: Dialect, sample: DialectSample): void {
  const fresh = roomy(sample).text;
  const { counted, hasWork } = mustRead(dialect, fresh);

  it.runIf(hasWork !== true)(
    'is a new loop with all of its turns when written again after a kill at the first stop',
    () => {
      for (let nth = 1; ; nth++) {
        const world = holding(dialect, roomy(sample));
        const survived = attempt(() => runSync(aStop(dialect, sample, 1), crashingAt(world.effects, nth)));
        world.files.delete(absolute(sample));
        world.files.set(absolute(sample), fresh);
        expect(stop(world, sample).decision.kind).toBe('continue');
        expect(mustLoad(world, sample).state.counted).toBe(counted + 1);
        if (survived) break;
      }
    },
  );
}
