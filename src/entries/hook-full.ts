import { releaseLoop } from '../cli/release-loop.ts';
import type { FastAnswer } from '../hook/answer-fast.ts';
import type { Loaded } from '../engine/ports.ts';
import { hook, tellFailure } from '../cli/commands/hook.ts';
import { composeServices } from './compose.ts';
import { realIo } from './real-io.ts';

export type Handed = {
  readonly id: string;
  readonly home: string;
  readonly words: readonly string[];
  readonly payload: string;
  readonly answer: Exclude<FastAnswer, { kind: 'reply' }>;
};

/** The hook goes on in the same process with the payload it has read: what `tireless hook HOST` answers. */
export async function goOn({ id, home, words, payload, answer }: Handed): Promise<void> {
  // The payload says where the agent works.
  const io = realIo('/');
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(payload);
  };
  const services = composeServices(
    (sentence) => io.stderr.write(`tireless: ${sentence}\n`),
    () => home,
  );
  const world = { ...io, stdin: { isTTY: false, chunks }, services };
  process.exitCode = answer.kind === 'failed' ? tellFailure(id, answer, world) : await hook.call([id, ...words], world);
}

/** A loop has ended and its reply is out: what was put into the settings for it is taken out. What fails here is told by `doctor`. */
export async function tidyUp(ended: Loaded, home: string): Promise<void> {
  const io = realIo('/');
  const services = composeServices(
    (sentence) => io.stderr.write(`tireless: ${sentence}\n`),
    () => home,
  );
  try {
    await releaseLoop(ended, { ...io, services });
  } catch (error) {
    io.stderr.write(`tireless: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
