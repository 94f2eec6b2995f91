import type { Control } from '../engine/ports.ts';
import type { WakeWorld } from '../engine/wait-to-wake.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { systemClock } from '../system/clock.ts';
import { isWorkerAlive, workerOf } from '../system/worker-identity.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';

/** What our own plugins say (`plugins/ask.js`). */
const PLUGIN_CLIENT = 'TIRELESS_CLIENT';

/** Without the process of the client, it is impossible to notice that the client is gone: then the wait is short. */
const BLIND_WAIT_MS_MAX = 10 * 60 * 1000;

/** For a hook of this host that waits on this machine. `transcript`: of the session, if known. */
export function wakeWorldFor(host: string, transcript: string | undefined, control: Control): WakeWorld {
  const clock = systemClock();
  const variable = Object.values(HOSTS).find(({ id }) => id === host)?.capabilities.clientVariable;
  const pid = Number(process.env[variable ?? PLUGIN_CLIENT]);
  const giveUpMs = clock.read().wallMs + BLIND_WAIT_MS_MAX;
  const client = Number.isSafeInteger(pid) && pid > 1 ? workerOf(pid, clock) : null;
  return {
    control,
    nowMs: () => clock.read().wallMs,
    sleep: (ms) => clock.sleep(ms).done,
    transcriptBytes: () => (transcript === undefined ? null : HOST_ENVIRONMENT.bytesOf(transcript)),
    isClientAlive: () => (client === null ? clock.read().wallMs < giveUpMs : isWorkerAlive(client) !== false),
  };
}
