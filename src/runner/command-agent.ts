import type { Agent, AgentActivity, AgentSession, AgentTurn, TurnEnd } from '../engine/ports.ts';
import type { Cell } from '../system/contain.ts';
import { scratchFile, type ScratchFile } from '../system/scratch.ts';
import { spawnCommand, type Spawned, type SpawnResult } from '../system/spawn.ts';
import { classifyFailure } from './failure-class.ts';
import { outputInbox } from './output-inbox.ts';
import { parseUsage, USAGE_BYTES_MAX } from './usage-report.ts';

export type CommandAgentOptions = {
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Who ends the agent when this process is killed. */
  readonly watchdog?: { readonly guard: (pid: number) => void; readonly release: (pid: number) => void };
  /** Asked before each turn; absent, or without an answer = the agent lives among all other processes. */
  readonly cell?: () => Promise<Cell | undefined>;
  readonly killGraceMs?: number;
  readonly nowMs?: () => number;
};

export const MESSAGE_BYTES_MAX: number = 256 * 1024;
const KILL_GRACE_MS = 5000;

/**
 * Any command as an agent: the prompt on its stdin, its stdout the message, its stderr diagnostics. It finds the loop, the iteration
 * and the project in its environment, and may leave its usage in the file named by TIRELESS_USAGE.
 */
export function commandAgent(options: CommandAgentOptions): Agent {
  return { name: options.command, open: async (turn) => openSession(options, turn) };
}

type Current = { isCancelled: boolean; spawned: Spawned | null };

function openSession(options: CommandAgentOptions, turn: AgentTurn): AgentSession {
  const current: Current = { isCancelled: false, spawned: null };
  const cancel = async (): Promise<void> => {
    current.isCancelled = true;
    const { spawned } = current;
    if (spawned === null) return;
    await spawned.kill(options.killGraceMs ?? KILL_GRACE_MS);
    await spawned.done;
  };
  return { prompt: (text) => streamTurn(options, turn, text, current), cancel, close: cancel };
}

async function* streamTurn(
  options: CommandAgentOptions,
  turn: AgentTurn,
  text: string,
  current: Current,
): AsyncGenerator<AgentActivity> {
  const contain = await options.cell?.();
  if (current.isCancelled) {
    yield { kind: 'ended', end: { message: '', failure: { class: 'unknown', detail: 'stopped before it started' } } };
    return;
  }
  const inbox = outputInbox();
  const usageFile = scratchFile('usage');
  const spawned = spawnCommand({
    command: options.command,
    cwd: turn.cwd,
    environment: { ...options.environment, ...environmentOf(turn, usageFile) },
    stdin: text,
    tailBytesMax: MESSAGE_BYTES_MAX,
    contain,
    onOutput: inbox.push,
    onStarted: (pid) => options.watchdog?.guard(pid),
  });
  current.spawned = spawned;
  void spawned.done.then(inbox.end);
  try {
    for (;;) {
      const { stdout, stderr, result } = await inbox.take();
      if (stdout !== '') yield { kind: 'output', stream: 'message', text: stdout };
      if (stderr !== '') yield { kind: 'output', stream: 'diagnostics', text: stderr };
      if (result === null) continue;
      yield { kind: 'ended', end: endOf(result, usageFile, (options.nowMs ?? Date.now)()) };
      return;
    }
  } finally {
    // A reader that leaves early ends the turn; for one that stayed both are settled already.
    await spawned.kill(0);
    await spawned.done;
    current.spawned = null;
    if (spawned.pid !== undefined) options.watchdog?.release(spawned.pid);
    usageFile.remove();
  }
}

function environmentOf(turn: AgentTurn, usageFile: ScratchFile): Record<string, string> {
  return {
    TIRELESS_LOOP: turn.loop,
    TIRELESS_ITERATION: String(turn.iteration),
    TIRELESS_DIR: turn.cwd,
    TIRELESS_USAGE: usageFile.path,
  };
}

function endOf(result: SpawnResult, usageFile: ScratchFile, nowMs: number): TurnEnd {
  const written = usageFile.read(USAGE_BYTES_MAX);
  const failure = classifyFailure({ ...result, nowMs });
  return {
    message: result.stdoutTail,
    ...(written === undefined ? {} : { usage: parseUsage(written) }),
    ...(failure === null ? {} : { failure }),
  };
}
