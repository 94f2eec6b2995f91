import type { Agent, AgentActivity, AgentSession, AgentTurn, TurnEnd } from '../../engine/ports.ts';
import type { Cell } from '../../system/contain.ts';
import { spawnCommand, type Spawned, type SpawnResult } from '../../system/spawn.ts';
import { outputInbox } from './output-inbox.ts';

export type AgentOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the agent if this process is killed. */
  readonly watchdog?: { readonly guard: (pid: number) => void; readonly release: (pid: number) => void };
  /** Called before each turn; absent or `undefined` = the agent runs without a cell, among all other processes. */
  readonly cell?: () => Promise<Cell | undefined>;
  readonly killGraceMs?: number;
  readonly nowMs?: () => number;
};

/** How one turn of a program is read. Created for each turn. */
export type TurnReader = {
  /** For this program only; `undefined` removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Gets all of stdout, in order, and returns the agent's activities. Absent = stdout is the message, shown as it arrives. */
  readonly read?: (text: string) => readonly AgentActivity[];
  readonly end: (result: SpawnResult, nowMs: number) => TurnEnd;
  readonly close?: () => void;
};

/** A program that is started once per turn, with the prompt on its stdin. */
export type AgentProgram = {
  readonly name: string;
  /** A line for the shell. */
  readonly command: string;
  readonly reader: (prompt: string) => TurnReader;
};

/** Only this much is kept of the end of the agent's message, and of its stderr. */
export const MESSAGE_BYTES_MAX: number = 256 * 1024;
const KILL_GRACE_MS = 5000;

/**
 * A program as an agent: its process, its environment, and its end with everything it started. The reader interprets its output. The
 * program finds the loop, the iteration and the project in its environment.
 */
export function processAgent(program: AgentProgram, options: AgentOptions): Agent {
  return { name: program.name, open: async (turn) => openSession({ program, options, turn }) };
}

type Opened = { readonly program: AgentProgram; readonly options: AgentOptions; readonly turn: AgentTurn };
type Current = { isCancelled: boolean; spawned: Spawned | null };

function openSession(opened: Opened): AgentSession {
  const current: Current = { isCancelled: false, spawned: null };
  const cancel = async (): Promise<void> => {
    current.isCancelled = true;
    const { spawned } = current;
    if (spawned === null) return;
    await spawned.kill(opened.options.killGraceMs ?? KILL_GRACE_MS);
    await spawned.done;
  };
  return { prompt: (text) => streamTurn(opened, text, current), cancel, close: cancel };
}

async function* streamTurn(
  { program, options, turn }: Opened,
  text: string,
  current: Current,
): AsyncGenerator<AgentActivity> {
  const contain = await options.cell?.();
  if (current.isCancelled) {
    yield { kind: 'ended', end: { message: '', failure: { class: 'unknown', detail: 'stopped before it started' } } };
    return;
  }
  const inbox = outputInbox();
  const reader = program.reader(text);
  const { read } = reader;
  const spawned = spawnCommand({
    command: program.command,
    cwd: turn.cwd,
    environment: { ...options.environment, ...environmentOf(turn), ...reader.environment },
    stdin: text,
    tailBytesMax: MESSAGE_BYTES_MAX,
    contain,
    onOutput: (stream, chunk) => {
      if (stream === 'stderr' || read === undefined) inbox.push(stream, chunk);
      else inbox.note(read(chunk));
    },
    onStarted: (pid) => options.watchdog?.guard(pid),
  });
  current.spawned = spawned;
  void spawned.done.then(inbox.end);
  try {
    for (;;) {
      const { stdout, stderr, activities, result } = await inbox.take();
      yield* activities;
      if (stdout !== '') yield { kind: 'output', stream: 'message', text: stdout };
      if (stderr !== '') yield { kind: 'output', stream: 'diagnostics', text: stderr };
      if (result === null) continue;
      yield { kind: 'ended', end: reader.end(result, (options.nowMs ?? Date.now)()) };
      return;
    }
  } finally {
    // A consumer that stops reading early ends the turn; for one that did not, both are already settled.
    await spawned.kill(0);
    await spawned.done;
    current.spawned = null;
    if (spawned.pid !== undefined) options.watchdog?.release(spawned.pid);
    reader.close?.();
  }
}

function environmentOf(turn: AgentTurn): Record<string, string> {
  return { TIRELESS_LOOP: turn.loop, TIRELESS_ITERATION: String(turn.iteration), TIRELESS_DIR: turn.cwd };
}
