import type { Limits } from '../core/loop.ts';
import { FUNCTION_AGENT } from '../core/loop.ts';
import { guessChecksIn } from '../setup/guess-checks.ts';
import { requireOwnEnd } from '../engine/require-own-end.ts';
import { buildSpec } from '../engine/spec/build-spec.ts';
import { requireGoal } from '../engine/spec/require-goal.ts';
import type { AgentFunction } from '../runner/agents/function.ts';
import { functionAgent } from '../runner/agents/function.ts';
import { requireAgentProgram } from '../setup/agent-program.ts';
import { ensureTracker } from '../setup/tracker-file.ts';
import { openFileStore } from '../stores/file-store.ts';
import { systemClock } from '../system/clock.ts';
import { requireWalls } from '../system/contain.ts';
import { newLoopId } from '../system/ids.ts';
import { currentPlatform, tirelessHome } from '../system/paths.ts';
import { projectDirectory } from '../system/project.ts';
import { thisMachine } from '../system/worker-identity.ts';
import type { Progress } from '../terminal/display.ts';
import type { LoopView } from '../views/loop-view.ts';
import { viewOf } from '../views/loop-view.ts';
import { driveHere, openControl } from './compose-loops.ts';
import { PROGRAM_OPTIONS, specOptionsOf } from './run-loop-options.ts';

/** A known agent by its name, any command that reads its prompt on stdin, or a function of your program. */
export type LoopAgent =
  | string
  | { readonly name: string; readonly args?: readonly string[] }
  | { readonly command: string }
  | AgentFunction;

/** The options of `runLoop`. Each means the same as the flag of `tireless run`. */
export type RunLoopOptions = {
  readonly goal: string;
  readonly agent: LoopAgent;
  /** Commands that must exit 0; `'unit:: npm test'` gives one a name. */
  readonly checks?: readonly string[];
  /** Commands that the agent never sees; they run only when everything else passes. */
  readonly holdouts?: readonly string[];
  /** The project; default: the current directory. */
  readonly cwd?: string;
  /** Texts that the agent must also claim, as `<promise>TEXT</promise>`; any one counts. */
  readonly claims?: readonly string[];
  /** Lines of the tracker that the agent has to tick. */
  readonly criteria?: readonly string[];
  /** More files that judge the work, as globs. */
  readonly protect?: readonly string[];
  /** Files that do not judge the work, as globs. */
  readonly free?: readonly string[];
  /** `false`: the checks run in the work tree only. */
  readonly cleanRoom?: boolean;
  /** Run in the clean room before the checks. */
  readonly roomSetup?: string;
  /** The loop completes only after `tireless approve`. */
  readonly approveFinish?: boolean;
  /** Limits that are left out keep their defaults. */
  readonly limits?: Partial<Limits>;
  readonly iterationTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly checkTimeoutMs?: number;
  readonly pauseBetweenMs?: number;
  /** Keeps the loops, hold-outs and judge's files out of the agent's reach; needs bwrap. */
  readonly sandbox?: boolean;
  /** `false`: end as paused if the agent reaches its usage limit, instead of waiting. */
  readonly waitForUsageLimit?: boolean;
  /** Pauses the loop: its agent is ended, and the result has the status `paused`. */
  readonly signal?: AbortSignal;
  /** Called as things happen. */
  readonly onProgress?: (progress: Progress) => void;
  /** Where loops are kept; default: where the command line keeps them. */
  readonly home?: string;
};

const GOAL_EXAMPLE = `goal: "make the tests pass", checks: ["npm test"]`;

/**
 * Runs one loop to its end, as `tireless run` does, and returns how it ended. When this returns or throws, none of its processes are
 * running. Throws a `Fault` if the options are wrong, a check cannot be run, or the disk fails; every end of a loop is a result, not a
 * fault.
 */
export async function runLoop(options: RunLoopOptions): Promise<LoopView> {
  const { signal, onProgress: show = () => undefined } = options;
  signal?.throwIfAborted();
  const project = projectDirectory(options.cwd, process.cwd(), 'correct cwd');
  const loop = newLoopId(systemClock().read());
  const isFunction = typeof options.agent === 'function';
  const request = {
    loop,
    goal: requireGoal(options.goal, GOAL_EXAMPLE),
    options: specOptionsOf(options),
    ...(isFunction ? { agent: { kind: 'named', name: FUNCTION_AGENT } as const } : {}),
  };
  const spec = buildSpec(request, PROGRAM_OPTIONS);
  if (!isFunction) requireAgentProgram(spec.agent, project, PROGRAM_OPTIONS);
  if (options.sandbox === true) requireWalls();
  const home = options.home ?? tirelessHome(currentPlatform());
  const store = openFileStore({ home });
  try {
    const control = openControl(store, home);
    const { state } = await control.start({ loop, spec, session: null, cwd: project, machine: thisMachine() });
    ensureTracker(spec, state.cwd);
    const drive = { loop, show, wait: options.waitForUsageLimit ?? true, allowMissingCheck: false };
    const driven = await driveHere(drive, store, home, {
      ...(typeof options.agent === 'function' ? { agent: functionAgent(options.agent) } : {}),
      onInterrupt: (handler) => onAbort(signal, handler),
    });
    return viewOf((await requireOwnEnd(driven, guessChecksIn)).loaded);
  } finally {
    store.close();
  }
}

function onAbort(signal: AbortSignal | undefined, handler: () => void): () => void {
  const pause = (): void => handler();
  signal?.addEventListener('abort', pause, { once: true });
  // The signal may have been aborted between the check above and this line.
  if (signal?.aborted === true) pause();
  return () => signal?.removeEventListener('abort', pause);
}
