import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^Finished in .* \(files took .* to load\)\n(\d+ examples?, \d+ failures?.*)$/gm;

export const rspec: Runner = {
  name: 'rspec',
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsBefore(parts);
    const skipped = amount('pending');
    const outside = amount('error occurred outside of examples', 'errors occurred outside of examples');
    return {
      ran: amount('example', 'examples') - skipped,
      failed: amount('failure', 'failures') + outside,
      skipped,
    };
  }),
};
