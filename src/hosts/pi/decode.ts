import type { HostEnvironment, HostEvent } from '../host.ts';
import { PLUGIN_PAYLOAD } from '../plugin-payload.ts';
import { decodePayload } from '../shared-payload.ts';

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload({ ...PLUGIN_PAYLOAD, host: 'pi' }, payload, environment);
}
