import { describe, expect, it } from 'vitest';
import { allDialects } from '../../test/support/all-dialects.ts';
import { aClock, aSpec } from '../../test/support/a-loop.ts';
import { activeReading, holding, mustLoad, roomy, sessionOf } from '../../test/support/dialect-sample.ts';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import { DEFAULT_TIMING } from '../core/loop.ts';
import { NO_ITERATION_TIMEOUT_MS, TIME_IS_UP } from '../core/overdue.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import { handleEvent } from './handle-event.ts';
import { runSync } from './pipeline.ts';
import type { Effects, TurnReport } from './ports.ts';
import { startLoop } from './start-loop.ts';
import { handleToolRequest } from './tool-request.ts';

const DENIED = { kind: 'deny', reason: TIME_IS_UP };

function anArmedLoop(iterationTimeoutMs: number): Effects {
  const { effects } = aDialectWorld(stravinsky);
  const spec = aSpec({ driver: 'session', timing: { ...DEFAULT_TIMING, iterationTimeoutMs } });
  const session = { host: 'claude-code', id: 's' };
  runSync(startLoop({ loop: 'armed', spec, session, cwd: '/project', machine: 'm' }), effects);
  runSync(handleEvent('armed', { kind: 'baseline-taken' }), effects);
  return effects;
}

const ask = (effects: Effects, ms: number, report: TurnReport = {}) =>
  runSync(handleToolRequest('armed', report), { ...effects, readClock: () => aClock(ms) });

describe('a tool of a session with a loop', () => {
  it('is allowed until the time of the iteration is used up, and refused from then on', () => {
    const effects = anArmedLoop(60_000);
    expect(ask(effects, 59_999)).toEqual({ kind: 'allow' });
    expect(ask(effects, 60_000)).toEqual(DENIED);
    const late = { ...effects, readClock: () => aClock(61_000) };
    runSync(handleEvent('armed', { kind: 'turn-ended', iteration: null, worker: null }, { message: 'no' }), late);
    expect(ask(effects, 62_000)).toEqual({ kind: 'allow' });
    expect(ask(effects, 121_000)).toEqual(DENIED);
  });

  it('is never refused when no timeout was asked for, when the loop has ended, or when there is none', () => {
    expect(ask(anArmedLoop(NO_ITERATION_TIMEOUT_MS), 1e12)).toEqual({ kind: 'allow' });
    const effects = anArmedLoop(1);
    runSync(handleEvent('armed', { kind: 'cancel-requested' }), effects);
    expect(ask(effects, 1e6)).toEqual({ kind: 'allow' });
    expect(runSync(handleToolRequest('nowhere', {}), effects)).toEqual({ kind: 'allow' });
  });

  it('is allowed as long as the rest of the time was spent in a dialog of the host', () => {
    const effects = anArmedLoop(60_000);
    expect(ask(effects, 90_000, { dialogMs: () => 30_001 })).toEqual({ kind: 'allow' });
    expect(ask(effects, 90_000, { dialogMs: () => 30_000 })).toEqual(DENIED);
  });

  it('is allowed after a dialog that the host reported, until the work before and after it took too long', () => {
    const effects = anArmedLoop(60_000);
    const at = (ms: number): Effects => ({ ...effects, readClock: () => aClock(ms) });
    runSync(handleEvent('armed', { kind: 'permission-asked' }), at(20_000));
    const { runningSince } = effects.load('armed')?.state ?? {};
    const answered = (ms: number): TurnReport => ({ answeredMs: () => (runningSince?.wallMs ?? 0) + ms });
    expect(ask(effects, 999_999, answered(940_000))).toEqual({ kind: 'allow' });
    expect(ask(effects, 1_000_000, answered(940_000))).toEqual(DENIED);
    expect(ask(effects, 999_999)).toEqual(DENIED);
  });

  it('changes nothing by asking', () => {
    const effects = anArmedLoop(1);
    const before = effects.load('armed');
    ask(effects, 1000);
    expect(effects.load('armed')).toEqual(before);
  });
});

describe.each(await allDialects())(
  'a tool of a session whose loop lives in the file of $dialect.name',
  ({ dialect, samples }) => {
    it('is refused only where the user asked for a timeout', () => {
      const found = samples.find(({ text }) => activeReading(dialect.read(text)) !== undefined);
      if (found === undefined) throw new Error('no sample is active');
      const sample = roomy(found);
      for (const [extras, answer] of [
        [{}, { kind: 'allow' }],
        [{ timing: { iterationTimeoutMs: 1000 } }, DENIED],
      ] as const) {
        const world = holding(dialect, sample);
        expect(world.stop(sample.file, 'not yet', sessionOf(sample), extras).decision.kind).toBe('continue');
        const { loop } = mustLoad(world, sample).state;
        expect(runSync(handleToolRequest(loop, {}), { ...world.effects, readClock: () => aClock(1e9) })).toEqual(
          answer,
        );
      }
    });
  },
);
