import { messageOf } from '../core/fault.ts';
import { hook, replyToFailure } from '../cli/commands/hook.ts';
import { releaseLoop } from '../cli/release-loop.ts';
import type { World } from '../cli/services.ts';
import { wakeWhenDue } from '../cli/wake-agent.ts';
import type { Loaded } from '../engine/ports.ts';
import { waitToWake } from '../engine/wait-to-wake.ts';
import type { FastAnswer } from '../hook/answer-fast.ts';
import { fieldsOf, nameIn } from '../hosts/fields.ts';
import { hideArguments } from '../system/hide-arguments.ts';
import { composeServices, realIo, warnOn } from './command-line.ts';

/** What the fast hook knows when it hands over to the full one. */
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

/** The loop has ended and the reply is written: hooks that were installed for it alone are removed. `doctor` reports anything that fails here. */
export async function releaseAfterReply(ended: Loaded, home: string): Promise<void> {
  const world = worldAt(home);
  try {
    await releaseLoop(ended, world);
  } catch (error) {
    warnOn(world)(messageOf(error));
  }
}

type WakeRequest = { readonly host: string; readonly home: string; readonly payload: string };

/**
 * The turn of this loop failed and the reply is written: waits for the retry, and wakes the agent with exit code 2. Ends silently if the
 * host ends it or exits, or if the loop continues without it.
 */
export async function wakeAfterReply(failed: Loaded, { host, home, payload }: WakeRequest): Promise<void> {
  const world = worldAt(home);
  const transcript = nameIn(fieldsOf(JSON.parse(payload)) ?? {}, 'transcript_path');
  const waiting = world.services.wakeWorld(host, transcript).then((wakeWorld) => waitToWake(failed, wakeWorld));
  process.exitCode = await wakeWhenDue(waiting, world);
}

function worldAt(home: string): World {
  // The payload names the directory that the agent works in.
  const io = realIo('/');
  return { ...io, services: composeServices(warnOn(io), () => home) };
}
