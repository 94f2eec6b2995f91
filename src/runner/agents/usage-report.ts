import { parseJson } from '../../core/parse-json.ts';
import type { Usage } from '../../core/evidence.ts';

/** Far more than `{"costUsd": 1.25, "tokens": 120000}` needs. */
export const USAGE_BYTES_MAX: number = 4096;

/**
 * What an agent wrote into the file named by TIRELESS_USAGE: `{"costUsd": n, "tokens": n}`, both optional. Anything else is `unknown`, never 0: a
 * garbled figure must not make usage look as if it were below its limit.
 */
export function parseUsage(text: string): Usage {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return { costUsd: 'unknown', tokens: 'unknown' };
  return {
    costUsd: 'costUsd' in value ? amountOf(value.costUsd) : 'unknown',
    tokens: 'tokens' in value ? amountOf(value.tokens) : 'unknown',
  };
}

function amountOf(value: unknown): number | 'unknown' {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 'unknown';
}
