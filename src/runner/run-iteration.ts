import type { Event } from '../core/event.ts';
import { assert, Fault } from '../core/fault.ts';
import type { State } from '../core/loop.ts';
import type { Loaded, TurnEnd, TurnReport } from '../engine/ports.ts';
import type { Clock } from '../system/clock.ts';
import { killEverything } from '../system/kill.ts';
import { isDirectory } from '../system/scratch.ts';
import type { StoppableWork } from './early-stop.ts';
import { loadLoop, postEvent, type Drive } from './drive-context.ts';
import { processMarksOf } from './interrupts.ts';
import { runTurn } from './run-turn.ts';
import { isLeaseOurs, runningLeftMs } from './waiting.ts';

/** The loop after a step, and how long to wait before the next. */
export type DrivePosition = { readonly loaded: Loaded; readonly delayMs: number };

const CHECK_GRACE_MS = 2000;
const KILL_AGAIN_MS = 200;

/**
 * One pass: commits its beginning, delivers the prompt, waits for the turn, and posts how it ended. A turn that the loop no longer waits
 * for (paused, cancelled, taken over) is ended with its processes and posts nothing.
 */
export async function runIteration(drive: Drive, loaded: Loaded): Promise<DrivePosition> {
  // Otherwise the delivery would be refused and retried forever.
  assert(loaded.state.phase === 'ready', 'an iteration begins when the one before is settled');
  await requireProject(drive, loaded.state);
  const iteration = loaded.state.counted + 1;
  const ofTurn = { iteration, worker: drive.worker.id };
  const began = await postEvent(drive, { kind: 'iteration-began', ...ofTurn });
  if (began.decision.kind === 'abstain' || began.loaded === undefined)
    return { loaded: await loadLoop(drive), delayMs: 0 };
  if (runningLeftMs(drive, began.loaded.state) <= 0) {
    // Nothing was delivered, so nothing counts; the limit ends the loop.
    const failure = { class: 'transient', detail: 'no running time was left to start it' } as const;
    return postAndLoad(drive, { kind: 'turn-failed', ...ofTurn, failure });
  }
  const turn = await runTurn(drive, began.loaded);
  if (turn === 'abandoned') return { loaded: await loadLoop(drive), delayMs: 0 };
  await requireProject(drive, began.loaded.state);
  const { end, cut } = turn;
  if (cut === null && end.failure !== undefined) {
    const used = end.usage === undefined ? {} : { usage: end.usage };
    return postAndLoad(drive, { kind: 'turn-failed', ...ofTurn, failure: end.failure }, used);
  }
  drive.onProgress({ kind: 'checking', iteration });
  return postAndLoad(drive, { kind: 'turn-ended', ...ofTurn, ...(cut === null ? {} : { cut }) }, reportOf(end));
}

/**
 * Posts an event whose decision may need a test run. A stop during that time ends the checks: the commit that stopped us makes their
 * results void.
 */
export async function postAndLoad(drive: Drive, event: Event, report: TurnReport = {}): Promise<DrivePosition> {
  const killing = startKilling(drive);
  const section: StoppableWork = {
    // Only changes by others count: our own decision, committed a moment before we learn of it, is no reason to kill anything.
    isAwaited: (state) =>
      isLeaseOurs(drive, state) &&
      state.status !== 'cancelled' &&
      !(state.status === 'paused' && state.pause?.cause === 'user'),
    abandon: killing.run,
  };
  const { decision, loaded } = await drive.earlyStop.during(section, () =>
    postEvent(drive, event, report).finally(killing.stop),
  );
  return {
    loaded: decision.kind === 'abstain' || loaded === undefined ? await loadLoop(drive) : loaded,
    delayMs: decision.kind === 'continue' ? decision.delayMs : 0,
  };
}

/** Repeats until the decision is made, because checks that run in order start one after the other. */
function startKilling(drive: Drive): { readonly run: () => Promise<void>; readonly stop: () => void } {
  let isOver = false;
  let sleep: ReturnType<Clock['sleep']> | null = null;
  const run = async (): Promise<void> => {
    const { state } = await loadLoop(drive);
    // A worker that took over the lease has processes with the same mark, which are not ours to end.
    if (isOver || !isLeaseOurs(drive, state)) return;
    await killEverything({ pids: [], environment: processMarksOf(drive.loop), graceMs: CHECK_GRACE_MS });
    if (isOver) return;
    sleep = drive.clock.sleep(KILL_AGAIN_MS);
    await sleep.done;
    await run();
  };
  return {
    run,
    stop: () => {
      isOver = true;
      sleep?.cancel();
    },
  };
}

/** In a missing directory every check would be `unknown`, and the agent could not even start: stop here, with the loop intact. */
export async function requireProject(drive: Drive, state: State): Promise<void> {
  if ((drive.projectExists ?? isDirectory)(state.cwd)) return;
  drive.heartbeat(drive.clock.read());
  await postEvent(drive, { kind: 'pause-requested', trouble: 'its project directory is gone' });
  throw new Fault(
    'PROJECT_MISSING',
    `The project directory ${state.cwd} is gone, so loop ${drive.loop} is paused. Restore the directory, then run "tireless resume ${drive.loop}"; or give up the loop with "tireless cancel ${drive.loop}".`,
  );
}

function reportOf(end: TurnEnd): TurnReport {
  return {
    message: end.message,
    ...(end.usage === undefined ? {} : { usage: end.usage }),
    ...(end.toolCalls === undefined ? {} : { toolCalls: end.toolCalls }),
  };
}
