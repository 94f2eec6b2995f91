import type { Usage } from '../core/evidence.ts';
import type { Limit, Limits } from '../core/loop.ts';
import { dollars } from './sentences.ts';

const CENT = 0.01;

/** Usage as reported by the agent; unknown figures are left out. */
export function usageWords(usage: Usage): readonly string[] {
  return [
    ...(isUsed(usage.costUsd) ? [costWords(usage.costUsd)] : []),
    ...(isUsed(usage.tokens) ? [tokenWords(usage.tokens)] : []),
  ];
}

/** The same for a narrow column: `$0.80 24k tokens`. */
export function briefUsage({ costUsd, tokens }: Usage): string {
  return [
    ...(isUsed(costUsd) ? [dollars(costUsd)] : []),
    ...(isUsed(tokens) ? [`${rounded(tokens)} tokens`] : []),
  ].join(' ');
}

function rounded(value: number): string {
  if (value < 1000) return grouped(value);
  return value < 1_000_000 ? `${Math.floor(value / 1000)}k` : `${(Math.floor(value / 100_000) / 10).toFixed(1)}M`;
}

/** Usage next to the limits: an unknown figure is shown if it has a limit. */
export function usageOfLimits(usage: Usage, limits: Pick<Limits, 'costMaxUsd' | 'tokensMax'>): readonly string[] {
  return [
    ...usedOfLimit(usage.costUsd, limits.costMaxUsd, { used: costWords, most: dollars, what: 'cost' }),
    ...usedOfLimit(usage.tokens, limits.tokensMax, { used: tokenWords, most: grouped, what: 'tokens' }),
  ];
}

type Words = {
  readonly used: (value: number) => string;
  readonly most: (value: number) => string;
  readonly what: string;
};

function usedOfLimit(value: number | 'unknown', limit: Limit, { used, most, what }: Words): readonly string[] {
  if (limit === 'unlimited') return isUsed(value) ? [used(value)] : [];
  return [`${value === 'unknown' ? `unknown ${what}` : used(value)} of ${most(limit)}`];
}

function isUsed(value: number | 'unknown'): value is number {
  return value !== 'unknown' && value > 0;
}

function costWords(value: number): string {
  return value > 0 && value < CENT ? `less than ${dollars(CENT)}` : dollars(value);
}

function tokenWords(value: number): string {
  return `${grouped(value)} tokens`;
}

function grouped(value: number): string {
  return Math.floor(value).toLocaleString('en-US');
}
