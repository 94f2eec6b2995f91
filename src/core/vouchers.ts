import type { Evidence } from './evidence.ts';
import type { State } from './loop.ts';

const VOUCHERS_MAX = 16;

/** Vouchers of the checks that are still running after their hook ended. */
export function vouchersAfter(state: State, { checks = [], room, roomBaseline }: Evidence): Pick<State, 'vouchers'> {
  const ofTrial = roomBaseline?.kind === 'kept' ? [roomBaseline.trial?.voucher] : [];
  const ofRoom = [...ofTrial, ...(room?.kind === 'running' ? [room.voucher] : [])];
  const found = [...checks.map((check) => check.voucher), ...ofRoom].filter((voucher) => voucher !== undefined);
  if (found.length === 0) return {};
  return { vouchers: [...new Set([...(state.vouchers ?? []), ...found])].slice(-VOUCHERS_MAX) };
}
