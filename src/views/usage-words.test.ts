import { describe, expect, it } from 'vitest';
import { usageOfLimits, usageWords } from './usage-words.ts';

const unlimited = { costMaxUsd: 'unlimited', tokensMax: 'unlimited' } as const;

describe('usage', () => {
  it('is shown as far as it is known', () => {
    expect(usageWords({ costUsd: 1.234, tokens: 1_234_567 })).toEqual(['$1.23', '1,234,567 tokens']);
    expect(usageWords({ costUsd: 0.0024, tokens: 'unknown' })).toEqual(['less than $0.01']);
    expect(usageWords({ costUsd: 'unknown', tokens: 0 })).toEqual([]);
  });

  it('is shown beside its limit, known or not', () => {
    expect(usageOfLimits({ costUsd: 'unknown', tokens: 12 }, unlimited)).toEqual(['12 tokens']);
    expect(usageOfLimits({ costUsd: 'unknown', tokens: 0 }, { costMaxUsd: 5, tokensMax: 1000 })).toEqual([
      'unknown cost of $5.00',
      '0 tokens of 1,000',
    ]);
  });
});
