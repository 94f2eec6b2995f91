import { systemClock } from '../system/clock.ts';
import { runCommandSync, spawnCommand } from '../system/spawn.ts';
import type { SpawnResult } from '../system/spawn.ts';

export type CommandAsk = {
  readonly command: string;
  readonly cwd: string;
  /** `undefined` removes a variable. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For each stream. */
  readonly tailBytesMax: number;
  readonly timeoutMs: number;
  /** The user's command, unlike our own git calls: it is contained where commands are contained. */
  readonly ofUser?: true;
};

export type CommandAnswer = SpawnResult & {
  readonly timedOut: boolean;
  /** The end of both streams in the order of arrival; when run synchronously, one after the other. */
  readonly mixedTail: string;
};

/** A probe that needs commands, written once: it yields what to run and receives the result from either interpreter. */
export type Steps<R> = Generator<CommandAsk, R, CommandAnswer>;

/** How long a command that overran its time limit may take to clean up before it is killed. */
const KILL_GRACE_MS = 2000;
/** For people to read, and cut much shorter when shown. */
const MIXED_LENGTH_MAX = 64 * 1024;

/** `contain`: the user's commands run in process namespaces, if this machine supports them. */
export async function runSteps<R>(steps: Steps<R>, { contain = false }: { contain?: boolean } = {}): Promise<R> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await run(step.value, contain));
  return step.value;
}

export function runStepsSync<R>(steps: Steps<R>): R {
  let step = steps.next();
  while (step.done !== true) step = steps.next(runNow(step.value));
  return step.value;
}

async function run(ask: CommandAsk, contain: boolean): Promise<CommandAnswer> {
  let mixed = '';
  const keep = (text: string): void => {
    const joined = text.length >= MIXED_LENGTH_MAX ? text : mixed + text;
    mixed = joined.slice(-MIXED_LENGTH_MAX);
  };
  const { timeoutMs, ofUser, ...request } = ask;
  const cell = contain && ofUser === true ? {} : undefined;
  const running = spawnCommand({ ...request, contain: cell, onOutput: (_, text) => keep(text) });
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
