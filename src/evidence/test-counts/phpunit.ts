import { amountsAfter, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES =
  /^OK \((\d+) tests?, \d+ assertions?\)$|^(Tests: \d+, Assertions: \d+(?:, [A-Z][A-Za-z ]+: \d+){0,12})\.$|^No tests executed!$/gm;

export const phpunit: Runner = {
  name: 'phpunit',
  begins: /^PHPUnit \d+\.\S+ by Sebastian Bergmann and contributors\.$/gm,
  findSummaries: summariesBy(CLOSES, ([, all, parts = '']) => {
    if (all !== undefined) return { ran: Number(all), failed: 0, skipped: 0 };
    const amount = amountsAfter(parts);
    const skipped = amount('skipped', 'incomplete');
    return { ran: Math.max(0, amount('tests') - skipped), failed: amount('failures', 'errors'), skipped };
  }),
};
