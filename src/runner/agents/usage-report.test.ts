import { describe, expect, it } from 'vitest';
import { parseUsage } from './usage-report.ts';

describe('parseUsage', () => {
  it.each([
    ['{"costUsd": 1.25, "tokens": 1200}', { costUsd: 1.25, tokens: 1200 }],
    ['{"tokens": 0}', { costUsd: 'unknown', tokens: 0 }],
    ['{"costUsd": 0.5, "more": [1]}', { costUsd: 0.5, tokens: 'unknown' }],
    ['{"costUsd": "1.25", "tokens": null}', { costUsd: 'unknown', tokens: 'unknown' }],
    ['{"costUsd": -1, "tokens": 1e999}', { costUsd: 'unknown', tokens: 'unknown' }],
    ['{"costUsd": 1', { costUsd: 'unknown', tokens: 'unknown' }],
    ['[1, 2]', { costUsd: 'unknown', tokens: 'unknown' }],
    ['null', { costUsd: 'unknown', tokens: 'unknown' }],
    ['', { costUsd: 'unknown', tokens: 'unknown' }],
  ])('reads %j and guesses nothing', (text, expected) => {
    expect(parseUsage(text)).toEqual(expected);
  });
});
