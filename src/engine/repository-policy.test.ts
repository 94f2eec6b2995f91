import { describe, expect, it } from 'vitest';
import { aCheck } from '../../test/support/a-loop.ts';
import { codeOf } from '../../test/support/fault-of.ts';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import { hasCommands, lowerLimits, trustedConfig } from './repository-policy.ts';

describe('the limits of a repository', () => {
  const own = { ...DEFAULT_LIMITS, iterationsMax: 10, costMaxUsd: 'unlimited', tokensMax: 500 } as const;

  it.each(['iterationsMax', 'durationMaxMs', 'costMaxUsd', 'tokensMax', 'faultsInRowMax', 'noProgressMax'] as const)(
    'lower %s, and never raise it',
    (name) => {
      const mine = { ...own, [name]: 10 };
      expect(lowerLimits(mine, { [name]: 3 })).toEqual({ ...mine, [name]: 3 });
      expect(lowerLimits(mine, { [name]: 30 })).toEqual(mine);
      expect(lowerLimits(mine, { [name]: 'unlimited' })).toEqual(mine);
      expect(lowerLimits({ ...mine, [name]: 'unlimited' }, { [name]: 30 })).toEqual({ ...mine, [name]: 30 });
    },
  );

  it('change nothing where they say nothing', () => {
    expect(lowerLimits(own, {})).toEqual(own);
  });
});

describe('the configuration of a repository', () => {
  const harmless = { file: 'tireless.toml', content: 'x', checks: [], protect: [], limits: {} };
  const config = { ...harmless, checks: [aCheck('npm test')] };

  it('runs commands only when their content was allowed', () => {
    expect(hasCommands(config)).toBe(true);
    expect(trustedConfig(config, '.', () => 'allowed')).toBe(config);
    expect(trustedConfig(config, '.', () => 'denied')).toBe('denied');
    expect(codeOf(() => trustedConfig(config, '.', () => 'unknown'))).toBe('CONFIG_NOT_ALLOWED');
  });

  it('needs no permission without commands', () => {
    const looks = { ...harmless, checks: [aCheck('note', { probe: { kind: 'file-moved', path: 'a' } as never })] };
    expect(trustedConfig(looks, '.', () => 'unknown')).toBe(looks);
  });
});
