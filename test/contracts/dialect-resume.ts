import { expect, it } from 'vitest';
import { documentLimits } from '../../src/core/foreign-file.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import {
  absolute,
  edit,
  holding,
  mustLoad,
  mustRead,
  mustText,
  stop,
  tightMaximum,
} from '../support/dialect-sample.ts';
import type { DialectWorld } from '../support/dialect-world.ts';

/** A loop that its maximum ended, and that the user gives two more turns. */
export function resumes(dialect: Dialect, sample: DialectSample): void {
  const { raise } = sample;
  const tight = raise === null ? undefined : tightMaximum(dialect, sample, raise);
  if (raise === null || tight === undefined) return;

  const resumed = (change: (world: DialectWorld) => void = () => {}): DialectWorld => {
    const world = holding(dialect, { ...sample, text: tight });
    expect(stop(world, sample).decision).toMatchObject({ kind: 'halt', guard: 'iterations-max' });
    change(world);
    const iterationsMax = mustLoad(world, sample).state.counted + 2;
    const { loaded } = world.post(sample.file, { kind: 'resume-requested', limits: { iterationsMax } });
    expect(loaded?.state.status).toBe('running');
    return world;
  };
  const expectTwoTurns = (world: DialectWorld): void => {
    const { spec, state } = mustLoad(world, sample);
    const reading = mustRead(dialect, mustText(world, sample));
    const { iterationsMax } = documentLimits(reading, spec.dialect?.turnsBefore ?? 0);
    expect([reading.active, iterationsMax]).toEqual([true, state.limits.iterationsMax]);
    expect([stop(world, sample).decision.kind, stop(world, sample).decision.kind]).toEqual(['continue', 'halt']);
    expect(mustLoad(world, sample).state.loop).toBe(state.loop);
  };

  it('holds the new maximum after a resume, and keeps it exactly', () => {
    expectTwoTurns(resumed());
  });

  it('is written again when a loop without its file is resumed', () => {
    expectTwoTurns(resumed((world) => world.files.delete(absolute(sample))));
  });

  it('ends the loop when it is deleted after a resume', () => {
    const world = resumed();
    world.files.delete(absolute(sample));
    expect(stop(world, sample).decision.kind).toBe('cancel');
    expect(world.store.list({ ended: false })).toEqual([]);
  });

  it('is still the file of the same loop when it is edited after a resume', () => {
    const world = resumed();
    const { loop } = mustLoad(world, sample).state;
    edit(world, sample, (text) => raise(text, 50));
    expect(stop(world, sample).decision.kind).toBe('continue');
    const { state } = mustLoad(world, sample);
    expect([state.loop, Number(state.limits.iterationsMax) > 40]).toEqual([loop, true]);
  });
}
