import type { TestCounts } from '../../core/evidence.ts';
import { addCounts, amountsAfter } from './runner.ts';
import type { Runner, Summary } from './runner.ts';

const ASSEMBLY = /^(?:Passed|Failed|Skipped)! +- +(Failed: .*, Total: +\d+), Duration: .* - (\S+\.dll) ?.*$/gm;
const WHOLE = /^(?:Test summary: )?total: \d+, failed: \d+, succeeded: \d+, skipped: \d+, duration: .*$/gm;

/** VSTest closes each assembly, and assemblies run in parallel; the terminal logger closes all of them together. */
export const dotnet: Runner = { name: 'dotnet', findSummaries };

function findSummaries(text: string): readonly Summary[] {
  const whole = [...text.matchAll(WHOLE)].map((block) => ({ at: block.index, counts: countsOf(block[0]) }));
  const assemblies = new Map<string, { at: number; counts: TestCounts }>();
  for (const block of text.matchAll(ASSEMBLY)) {
    const counts = countsOf(block[1] ?? '');
    const known = assemblies.get(block[2] ?? '');
    if (known === undefined || counts.ran < known.counts.ran)
      assemblies.set(block[2] ?? '', { at: block.index, counts });
  }
  const [first, ...rest] = assemblies.values();
  if (first === undefined) return whole;
  return [...whole, { at: first.at, counts: rest.reduce((sum, { counts }) => addCounts(sum, counts), first.counts) }];
}

function countsOf(parts: string): TestCounts {
  const amount = amountsAfter(parts);
  const failed = amount('failed');
  return { ran: amount('passed', 'succeeded') + failed, failed, skipped: amount('skipped') };
}
