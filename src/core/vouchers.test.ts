import { expect, it } from 'vitest';
import { aClock, aState } from '../../test/support/a-loop.ts';
import type { CheckResult, Evidence } from './evidence.ts';
import { vouchersAfter } from './vouchers.ts';

const running = (voucher: string): CheckResult => ({
  name: voucher,
  result: 'unknown',
  unknown: 'still-running',
  durationMs: 1,
  tail: '',
  voucher,
});
const evidence = (more: Partial<Evidence>): Evidence => ({ clock: aClock(1), ...more });

it('keeps the vouchers of checks that outlast their hook, each once', () => {
  const state = aState({ vouchers: ['a'] });
  expect(vouchersAfter(state, evidence({ checks: [running('a'), running('b')] }))).toEqual({ vouchers: ['a', 'b'] });
  expect(vouchersAfter(state, evidence({ checks: [] }))).toEqual({});
});

it('keeps the voucher of a room that outlasts its hook, and the newest sixteen of all', () => {
  const checks = Array.from({ length: 16 }, (_, index) => running(`c${index}`));
  const room = { kind: 'running', voucher: 'r' } as Evidence['room'];
  const { vouchers } = vouchersAfter(aState({}), evidence({ checks, ...(room === undefined ? {} : { room }) }));
  expect(vouchers).toHaveLength(16);
  expect(vouchers?.at(-1)).toBe('r');
  expect(vouchers?.[0]).toBe('c1');
});
