import { systemClock } from '../system/clock.ts';
import { ownPrograms } from '../system/own-programs.ts';
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
  /** The user's command, unlike our own git calls: it runs contained where commands are contained. */
  readonly ofUser?: true;
};

export type CommandAnswer = SpawnResult & {
  readonly timedOut: boolean;
  /** Both streams in the order of arrival, without the middle if they are long; one after the other if run synchronously. */
  readonly mixed: string;
};

/** A probe that needs commands, written once: it yields the command to run and receives the result from either interpreter. */
export type Steps<R> = Generator<CommandAsk, R, CommandAnswer>;

/** How long a command that overran its time limit may take to clean up before it is killed. */
const KILL_GRACE_MS = 2000;
/** For people to read, and cut much shorter when shown. The first error may be at the beginning; the summary is at the end. */
const HEAD_CHARS_MAX = 64 * 1024;
const TAIL_CHARS_MAX = 192 * 1024;

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
  const mixed = keepEnds();
  const { timeoutMs, ofUser, ...request } = withOwnPath(ask);
  const cell = contain && ofUser === true ? {} : undefined;
  const running = spawnCommand({ ...request, contain: cell, onOutput: (_, text) => mixed.push(text) });
  const timer = systemClock().sleep(timeoutMs);
  const ended = await Promise.race([running.done, timer.done.then(() => undefined)]);
  timer.cancel();
  if (ended === undefined) await running.kill(KILL_GRACE_MS);
  return { ...(ended ?? (await running.done)), timedOut: ended === undefined, mixed: mixed.read() };
}

function runNow(ask: CommandAsk): CommandAnswer {
  const ended = runCommandSync(withOwnPath(ask));
  const gap = ended.stdoutTail === '' || ended.stdoutTail.endsWith('\n') ? '' : '\n';
  return { ...ended, mixed: withoutMiddle(`${ended.stdoutTail}${gap}${ended.stderrTail}`) };
}

/** Our own commands never run a program that an agent put into PATH. */
function withOwnPath(ask: CommandAsk): CommandAsk {
  const own = ask.ofUser === true ? undefined : ownPrograms();
  return own === undefined ? ask : { ...ask, environment: { ...ask.environment, PATH: own.path } };
}

/** Holds at most twice the tail, and copies each character a few times at most, however small the pieces are. */
function keepEnds(): { readonly push: (text: string) => void; readonly read: () => string } {
  let head = '';
  let pieces: string[] = [];
  let held = 0;
  let total = 0;
  const shrink = (): void => {
    pieces = [pieces.join('').slice(-TAIL_CHARS_MAX)];
    held = pieces[0]?.length ?? 0;
  };
  return {
    push: (text) => {
      const toHead = Math.min(text.length, HEAD_CHARS_MAX - head.length);
      if (toHead > 0) head += text.slice(0, toHead);
      total += text.length;
      held += text.length - toHead;
      if (text.length > toHead) pieces.push(text.slice(toHead));
      if (held > 2 * TAIL_CHARS_MAX) shrink();
    },
    read: () => {
      shrink();
      return joinEnds(head, pieces[0] ?? '', total);
    },
  };
}

function withoutMiddle(text: string): string {
  return joinEnds(text.slice(0, HEAD_CHARS_MAX), text.slice(HEAD_CHARS_MAX).slice(-TAIL_CHARS_MAX), text.length);
}

function joinEnds(head: string, tail: string, total: number): string {
  const left = total - head.length - tail.length;
  return left === 0 ? `${head}${tail}` : `${head}\n[${left} characters left out]\n${tail}`;
}
