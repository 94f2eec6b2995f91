import type { Control } from '../engine/ports.ts';
import type { WakeWorld } from '../engine/wait-to-wake.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { systemClock } from '../system/clock.ts';
import { isWorkerAlive, workerOf } from '../system/worker-identity.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';
import { pidIn } from './session-process.ts';

/** Set by our own plugins (`plugins/ask.js`). */
const PLUGIN_CLIENT = 'TIRELESS_CLIENT';

/** Without the client's process id its exit cannot be noticed, so the wait is short. */
const BLIND_WAIT_MS_MAX = 10 * 60 * 1000;

/** For a hook of this host that waits on this machine. `transcript`: of the session, if known. */
export function wakeWorldFor(host: string, transcript: string | undefined, control: Control): WakeWorld {
  const clock = systemClock();
  const variable = Object.values(HOSTS).find(({ id }) => id === host)?.capabilities.clientVariable;
  const pid = pidIn(variable ?? PLUGIN_CLIENT);
  const giveUpMs = clock.read().wallMs + BLIND_WAIT_MS_MAX;
  const client = pid === null ? null : workerOf(pid, clock);
  return {
    control,
    nowMs: () => clock.read().wallMs,
    sleep: (ms) => clock.sleep(ms).done,
    transcriptBytes: () => (transcript === undefined ? null : HOST_ENVIRONMENT.bytesOf(transcript)),
    isClientAlive: () => (client === null ? clock.read().wallMs < giveUpMs : isWorkerAlive(client) !== false),
  };
}
