import { systemClock } from '../system/clock.ts';
import { runCommandSync, spawnCommand } from '../system/spawn.ts';
import type { SpawnResult } from '../system/spawn.ts';

export type CommandAsk = {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Of each stream. */
  readonly tailBytesMax: number;
  readonly timeoutMs: number;
};

export type CommandAnswer = SpawnResult & {
  readonly timedOut: boolean;
  /** The end of both streams as they came; one after the other when run synchronously. */
  readonly mixedTail: string;
};

/** A probe that needs commands, written once: it yields what to run and is handed how that ended, by either interpreter. */
export type Steps<R> = Generator<CommandAsk, R, CommandAnswer>;

/** How long a command that overran its time may clean up before it is killed. */
const KILL_GRACE_MS = 2000;
/** It is for people to read, and cut far shorter for them. */
const MIXED_LENGTH_MAX = 64 * 1024;

export async function runSteps<R>(steps: Steps<R>): Promise<R> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await run(step.value));
  return step.value;
}

export function runStepsSync<R>(steps: Steps<R>): R {
  let step = steps.next();
  while (step.done !== true) step = steps.next(runNow(step.value));
  return step.value;
}

async function run(ask: CommandAsk): Promise<CommandAnswer> {
  let mixed = '';
  const keep = (text: string): void => {
    const joined = text.length >= MIXED_LENGTH_MAX ? text : mixed + text;
    mixed = joined.slice(-MIXED_LENGTH_MAX);
  };
  const { timeoutMs, ...request } = ask;
  const running = spawnCommand({ ...request, onOutput: (_, text) => keep(text) });
  const timer = systemClock().sleep(timeoutMs);
  const ended = await Promise.race([running.done, timer.done.then(() => undefined)]);
  timer.cancel();
  if (ended === undefined) await running.kill(KILL_GRACE_MS);
  return { ...(ended ?? (await running.done)), timedOut: ended === undefined, mixedTail: mixed };
}

function runNow(ask: CommandAsk): CommandAnswer {
  const ended = runCommandSync(ask);
  const gap = ended.stdoutTail === '' || ended.stdoutTail.endsWith('\n') ? '' : '\n';
  return { ...ended, mixedTail: `${ended.stdoutTail}${gap}${ended.stderrTail}` };
}
