import { messageOf } from '../core/fault.ts';
import { hook, replyToFailure } from '../cli/commands/hook.ts';
import { releaseLoop } from '../cli/release-loop.ts';
import type { World } from '../cli/services.ts';
import type { Loaded } from '../engine/ports.ts';
import type { FastAnswer } from '../hook/answer-fast.ts';
import { waitToWake } from '../hook/wait-to-wake.ts';
import { fieldsOf, nameIn } from '../hosts/fields.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { systemClock } from '../system/clock.ts';
import { hideArguments } from '../system/hide-arguments.ts';
import { writeOutput } from '../system/standard-streams.ts';
import { isWorkerAlive, workerOf } from '../system/worker-identity.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';
import { composeServices, realIo, warnOn } from './command-line.ts';

/** What the fast hook knows when it hands over. */
export type Handover = {
  readonly host: string;
  readonly home: string;
  /** The options of a dialect. */
  readonly options: readonly string[];
  readonly payload: string;
  readonly answer: Exclude<FastAnswer, { kind: 'reply' }>;
};

/** Continues in the same process with the payload that was read: replies as `tireless hook HOST` does. */
export async function answerInFull({ host, home, options, payload, answer }: Handover): Promise<void> {
  hideArguments(options, '--holdout', `tireless hook ${host}`);
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(payload);
  };
  const world = { ...worldAt(home), stdin: { isTTY: false, chunks } };
  process.exitCode =
    answer.kind === 'failed' ? replyToFailure(host, answer, world) : await hook.call([host, ...options], world);
}

/** The loop has ended and its reply is out: hooks that were installed for it alone are removed. `doctor` reports what fails here. */
export async function releaseAfterReply(ended: Loaded, home: string): Promise<void> {
  const world = worldAt(home);
  try {
    await releaseLoop(ended, world);
  } catch (error) {
    warnOn(world)(messageOf(error));
  }
}

type WakeRequest = { readonly host: string; readonly home: string; readonly payload: string };

/** What our own plugins say (`plugins/ask.js`). */
const PLUGIN_CLIENT = 'TIRELESS_CLIENT';

/** Without the process of the client, it is impossible to notice that the client is gone: then the wait is short. */
const BLIND_WAIT_MS_MAX = 10 * 60 * 1000;

/**
 * The turn of this loop failed and the reply is out: waits until it is time to try again, and wakes the agent with exit code 2. Ends silently when
 * the host ends it, when the host is gone, or when the loop continued without it.
 */
export async function wakeAfterReply(failed: Loaded, { host, home, payload }: WakeRequest): Promise<void> {
  const world = worldAt(home);
  const clock = systemClock();
  const transcript = nameIn(fieldsOf(JSON.parse(payload)) ?? {}, 'transcript_path');
  const variable = Object.values(HOSTS).find(({ id }) => id === host)?.capabilities.clientVariable;
  const pid = Number(process.env[variable ?? PLUGIN_CLIENT]);
  const giveUpMs = clock.read().wallMs + BLIND_WAIT_MS_MAX;
  const client = Number.isSafeInteger(pid) && pid > 1 ? workerOf(pid, clock) : null;
  try {
    const control = await world.services.control();
    const prompt = await waitToWake(failed, {
      control,
      nowMs: () => clock.read().wallMs,
      sleep: (ms) => clock.sleep(ms).done,
      transcriptBytes: () => (transcript === undefined ? null : HOST_ENVIRONMENT.bytesOf(transcript)),
      isClientAlive: () => (client === null ? clock.read().wallMs < giveUpMs : isWorkerAlive(client) !== false),
    });
    if (prompt === null) return;
    writeOutput(2, `${prompt}\n`);
    process.exitCode = 2;
  } catch (error) {
    // The next event of the session continues the loop.
    warnOn(world)(messageOf(error));
  }
}

function worldAt(home: string): World {
  // The payload names the directory that the agent works in.
  const io = realIo('/');
  return { ...io, services: composeServices(warnOn(io), () => home) };
}
