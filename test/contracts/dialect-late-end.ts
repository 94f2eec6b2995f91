import { expect, it } from 'vitest';
import { Fault } from '../../src/core/fault.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import { aStopOf } from '../support/dialect-probe.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import { edit, holding, mustLoad, roomy, sessionOf, stop, textOf } from '../support/dialect-sample.ts';

/** The project cannot be written at the stop that ends the loop, and can at the next one. */
export function lateEnds(dialect: Dialect, sample: DialectSample): void {
  it('sees how its loop ended when the file is put right, once', () => {
    const world = holding(dialect, roomy(sample));
    stop(world, sample);
    if (sample.claimIn !== undefined) edit(world, sample, sample.claimIn);
    const before = textOf(world, sample);
    const unwritable = {
      ...world.effects,
      replaceFile: (): never => {
        throw new Fault('STORE_UNWRITABLE', 'Cannot write it.');
      },
    };
    const claim = { message: sample.claimMessage, session: sessionOf(sample), size: 900 };
    expect(() => runSync(aStopOf(dialect, sample.file, claim), unwritable)).toThrow('Cannot write it.');
    // If an edit of the file had to be written first, the stop was not judged.
    if (mustLoad(world, sample).state.status !== 'completed') return;
    expect(textOf(world, sample)).toBe(before);
    const { decision, loaded, reading } = stop(world, sample);
    expect(decision.kind).toBe('complete');
    expect(dialect.wordsFor({ decision, loop: loaded ?? null, reading }).sendsBack).toBe(false);
    expect(stop(world, sample).decision.kind).toBe('abstain');
  });
}
