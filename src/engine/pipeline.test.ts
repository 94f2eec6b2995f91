import { describe, expect, it } from 'vitest';
import { aClock } from '../../test/support/a-loop.ts';
import { NO_FILES } from './no-files.ts';
import type { Pipeline } from './pipeline.ts';
import { perform, runAsync, runSync } from './pipeline.ts';
import type { AsyncEffects, Effects } from './ports.ts';

const refuse = (): never => {
  throw new Error('not asked for');
};
const effects: Effects = {
  readClock: () => aClock(7),
  load: () => undefined,
  create: refuse,
  commit: refuse,
  probe: refuse,
  bindSession: refuse,
  bindFirst: refuse,
  loopOfSession: refuse,
  ...NO_FILES,
};

function* twoReadings(): Pipeline<number> {
  const first = yield* perform('readClock');
  const loop = yield* perform('load', 'x');
  const second = yield* perform('readClock');
  return first.monotonicMs + second.monotonicMs + (loop === undefined ? 0 : 1000);
}

function* survives(): Pipeline<string> {
  try {
    yield* perform('probe', { loop: 'x', cwd: '/', requests: [], inOrder: false });
    return 'answered';
  } catch (error) {
    return error instanceof Error ? error.message : 'other';
  }
}

describe('pipeline', () => {
  it('gives the same result run synchronously and asynchronously', async () => {
    expect(runSync(twoReadings(), effects)).toBe(14);
    expect(await runAsync(twoReadings(), effects)).toBe(14);
    const slow: AsyncEffects = { ...effects, readClock: async () => aClock(7) };
    expect(await runAsync(twoReadings(), slow)).toBe(14);
  });

  it('hands a failing effect to the code that asked, in both', async () => {
    expect(runSync(survives(), effects)).toBe('not asked for');
    expect(await runAsync(survives(), { ...effects, probe: () => Promise.reject(new Error('late')) })).toBe('late');
  });

  it('lets a failure that nobody handles out, in both', async () => {
    function* careless(): Pipeline<unknown> {
      return yield* perform('probe', { loop: 'x', cwd: '/', requests: [], inOrder: false });
    }
    expect(() => runSync(careless(), effects)).toThrow('not asked for');
    await expect(runAsync(careless(), effects)).rejects.toThrow('not asked for');
  });
});
