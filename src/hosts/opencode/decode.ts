import type { HostEnvironment, HostEvent } from '../host.ts';
import { PLUGGED } from '../plugged.ts';
import { decodeShaped } from '../shaped.ts';

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodeShaped({ ...PLUGGED, host: 'opencode' }, payload, environment);
}
