import type { Limits } from '../core/loop.ts';
import { limitDurationText } from '../views/duration.ts';
import { dollars } from '../views/sentences.ts';

export const LIMIT_NAMES: Readonly<Record<keyof Limits, string>> = {
  iterationsMax: 'iterations',
  durationMaxMs: 'running time',
  costMaxUsd: 'cost',
  tokensMax: 'tokens',
  faultsInRowMax: 'faults in a row',
  noProgressMax: 'iterations without progress',
};

// `Object.keys` loses the literal types of the table's names.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
export const LIMIT_KEYS: readonly (keyof Limits)[] = Object.keys(LIMIT_NAMES) as readonly (keyof Limits)[];

export function limitText(key: keyof Limits, limit: Limits[keyof Limits]): string {
  if (limit === 'unlimited') return limit;
  if (key === 'durationMaxMs') return limitDurationText(limit);
  return key === 'costMaxUsd' ? dollars(limit) : String(limit);
}
