import { expect, it } from 'vitest';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { iterationCountOf, limitForMaximum } from '../../src/views/iteration-count.ts';
import { decisionSentence, raiseAdvice } from '../../src/views/sentences.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import { activeReading, holding, mustLoad, stop } from '../support/dialect-sample.ts';

/** A maximum that is used up at the first stop, or before it. */
export function lowMaxima(dialect: Dialect, sample: DialectSample): void {
  const { raise } = sample;
  if (raise === null) return;
  it('shows the maximum of the file, however low', () => {
    for (const max of [2, 1, 0, -1]) {
      const text = raise(sample.text, max);
      const found = activeReading(dialect.read(text));
      // Some documents refuse such a number, and for one of them 0 means unlimited.
      if (found === undefined || Number(found.iterationsMax) > 2) continue;
      const world = holding(dialect, { ...sample, text });
      let handled = stop(world, sample);
      while (handled.decision.kind === 'continue') handled = stop(world, sample);
      const { spec, state } = handled.loaded ?? mustLoad(world, sample);
      expect(iterationCountOf({ spec, state }).max).toBe(max);
      const [, advised] =
        /^--max-iterations (\d+)$/u.exec(raiseAdvice('iterations-max', state.limits, spec.dialect) ?? '') ?? [];
      expect(Number(limitForMaximum(Number(advised), spec.dialect))).toBeGreaterThan(
        Math.max(1, Number(found.iterationsMax)),
      );
      expect(decisionSentence(handled.decision, spec.dialect)).toMatch(new RegExp(`(?:of|is) ${max}\\b`, 'u'));
    }
  });
}
