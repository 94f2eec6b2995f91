import { realpathSync } from 'node:fs';
import path from 'node:path';
import { observedControl, progressOf } from '../cli/drive-progress.ts';
import type { DriveRequest, DriveResult } from '../cli/services.ts';
import { isFault } from '../core/fault.ts';
import type { LoopId } from '../core/loop.ts';
import { embeddedControl } from '../engine/control.ts';
import type { FileEffects } from '../engine/no-files.ts';
import type { Agent, Control, ProbeAnswer, ProbeBatch, Store } from '../engine/ports.ts';
import type { UnrunnableCheck } from '../engine/unrunnable-check.ts';
import { cancellingUnrunnable } from '../engine/unrunnable-check.ts';
import { openReportLog } from '../stores/report-log.ts';
import type { JobWorld } from '../evidence/check-jobs.ts';
import { askInJob, jobsOf } from '../evidence/check-jobs.ts';
import { forgetJobs } from '../evidence/end-jobs.ts';
import { fingerprintFiles } from '../evidence/job-process.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { hasNativeGoal } from '../hosts/native-goal.ts';
import type { CheckUpdate } from '../evidence/probe.ts';
import { createProbes } from '../evidence/probe.ts';
import type { CheckJob, HookCallPlace, SessionWorld } from '../hook/hook-world.ts';
import { agentFor } from '../runner/agents/registry.ts';
import { driveLoop } from '../runner/drive-loop.ts';
import { hookSecondsIn } from '../setup/hook-seconds.ts';
import { ownCall } from '../setup/own-call.ts';
import { activityLog } from '../stores/activity.ts';
import { archiveText } from '../stores/archive.ts';
import { countTurn } from '../stores/day-turns.ts';
import { readHeartbeat, writeHeartbeat } from '../stores/heartbeat.ts';
import { filesOf } from '../stores/loop-files.ts';
import { systemClock } from '../system/clock.ts';
import { requireWalls } from '../system/contain.ts';
import { startDetached } from '../system/detach.ts';
import { fileEffects } from '../system/file-effects.ts';
import { keepMemoryLean } from '../system/lean-memory.ts';
import { removeLeftoversBelow } from '../system/leftovers.ts';
import { currentPlatform } from '../system/paths.ts';
import { realDirectory } from '../system/project.ts';
import { onInterrupt } from '../system/signals.ts';
import { startWatchdog } from '../system/watchdog.ts';
import { thisWorker } from '../system/worker-identity.ts';
import { agentCell } from './containment.ts';
import { liveFileOf, settleDialect } from './dialects.ts';
import { checkRecorder } from './record-checks.ts';
import { hookLeftMs, limitHook } from './hook-time.ts';
import { roomWorldIn } from './room-world.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';

/**
 * Everything that moves a loop on this machine: checks as processes, foreign files on this disk, the outer driver. Loaded at its first use,
 * because commands that only read need none of it.
 */

/** The control port over a store in files. */
export function openControl(
  store: Store,
  home: string,
  driving: { readonly onCheck?: (update: CheckUpdate) => void; readonly contain?: boolean } = {},
): Control {
  const clock = systemClock();
  const record = checkRecorder(store, home);
  const probes = createProbes({
    readHeartbeat: (loop) => readHeartbeat(home, loop),
    rooms: roomWorldIn(home),
    ...driving,
    onCheck: (update) => {
      record(update);
      driving.onCheck?.(update);
    },
  });
  return embeddedControl(store, {
    readClock: clock.read,
    probe: probes.probe,
    files: filesIn(home),
    liveFileOf,
    settle: (event, handled) => settleDialect(home, event, handled),
  });
}

/** The effects for one event of a session. */
export function openSession(store: Store, home: string): SessionWorld {
  const clock = systemClock();
  const files = filesIn(home);
  const { probe } = createProbes({
    readHeartbeat: (loop) => readHeartbeat(home, loop),
    rooms: roomWorldIn(home),
    onCheck: checkRecorder(store, home),
  });
  return {
    effects: { ...store, readClock: clock.read, probe: probeInSession(home, probe), ...files },
    limitTime: (place) => limitTime(place, home),
    forgetChecks: (loop) => forgetJobs(home, loop),
    hostEnvironment: HOST_ENVIRONMENT,
    reports: openReportLog(home, clock),
    hasNativeGoal: (host, transcript) => hasNativeGoal(host, transcript, HOST_ENVIRONMENT.transcripts),
  };
}

/** If a document deletes its file when the loop is done, the file is kept next to the journal. */
function filesIn(home: string): FileEffects {
  return {
    ...fileEffects(systemClock(), (loop, file, text) => archiveText(home, loop, file, text)),
    countTurn: (project, day) => countTurn(home, project, day),
  };
}

type Probe = (batch: ProbeBatch) => Promise<readonly ProbeAnswer[]>;

/** Commands run in their own process, because they may outlast the hook; all other checks run here. */
function probeInSession(home: string, probe: Probe): Probe {
  const world = jobWorld(home);
  return async (batch) => {
    const isCommand = batch.requests.map(
      (request) =>
        request.kind === 'room' ||
        request.kind === 'room-copy' ||
        request.kind === 'room-baseline' ||
        (request.kind === 'check' && request.check.probe.kind === 'command'),
    );
    if (!isCommand.includes(true)) return probe(batch);
    const [commands, others] = await Promise.all([
      askInJob({ ...batch, requests: batch.requests.filter((_, index) => isCommand[index]) }, world),
      probe({ ...batch, requests: batch.requests.filter((_, index) => isCommand[index] !== true) }),
    ]);
    const answers = [...commands];
    const rest = [...others];
    return isCommand.flatMap((own) => (own ? answers.splice(0, 1) : rest.splice(0, 1)));
  };
}

/** A user can shorten the installed timeout. */
function limitTime({ host, event, cwd }: HookCallPlace, home: string): void {
  const secondsAt = (name: string): number | null => {
    try {
      return hookSecondsIn({ host, event: name, project: realDirectory(cwd) ?? cwd }, home);
    } catch (error) {
      // "tireless doctor" reports unreadable settings, and this hook assumes the installed timeout.
      if (!isFault(error)) throw error;
      return null;
    }
  };
  limitHook({ now: () => secondsAt(event), atStop: () => secondsAt(HOSTS[host].capabilities.stopHook) });
}

function jobWorld(home: string): JobWorld {
  const clock = systemClock();
  const { env } = process;
  return {
    home,
    start: ({ loop, key, mark, order }) => {
      const script = path.join(path.dirname(calledProgram()), 'check-job.js');
      startDetached(process.execPath, [script, home, loop, key], { ...env, ...mark }, JSON.stringify(order));
    },
    hook: thisWorker(clock),
    call: (cwd) =>
      ownCall({ node: process.execPath, script: calledProgram(), home }, cwd, { ...currentPlatform(), env }),
    fingerprint: fingerprintFiles,
    sleep: (ms) => clock.sleep(ms).done,
    leftMs: hookLeftMs,
  };
}

/** The program that was called, whichever chunk contains this code: the programs that it starts are next to it. */
function calledProgram(): string {
  return realpathSync(process.argv[1] ?? '');
}

/** The checks of a session that run outside its hook, as an agent may see them: hold-out checks leave no trace. */
export function checkJobsOf(home: string, loop: LoopId): readonly CheckJob[] {
  return jobsOf(home, loop).map(({ job, result, alive }) => {
    const hidden = new Set(
      job.batch.requests.flatMap((request) =>
        request.kind === 'check' && request.check.holdout ? [request.check.name] : [],
      ),
    );
    const results =
      result?.answers.flatMap((answer) =>
        answer.kind === 'check' && !hidden.has(answer.result.name) ? [answer.result] : [],
      ) ?? null;
    return { results, alive };
  });
}

/** A program that drives a loop itself, with its own signals and its own memory. */
export type Embedding = {
  /** Replaces the agent of the spec. */
  readonly agent?: Agent;
  readonly onInterrupt: (handler: () => void) => () => void;
};

/** Drives a loop on this machine, with a display. */
export async function driveHere(
  request: DriveRequest,
  store: Store,
  home: string,
  embedding?: Embedding,
): Promise<DriveResult> {
  const { loop, show } = request;
  const asked = store.load(loop)?.spec;
  if (asked?.containment === 'sandbox') requireWalls();
  const control = openControl(store, home, {
    contain: asked?.containment !== 'none',
    onCheck: ({ name, phase, result, where }) => {
      const place = where === undefined ? {} : { where };
      if (phase === 'started' || result === undefined) show({ kind: 'check-began', name, ...place });
      else show({ kind: 'check-ended', result, ...place });
    },
  });
  const clock = systemClock();
  // The previous driver may have been killed during a write.
  removeLeftoversBelow(filesOf(home, loop).dir);
  const log = activityLog(home, loop);
  const agent =
    embedding?.agent ??
    agentFor(asked?.agent, {
      nodePath: process.execPath,
      cell: agentCell(control, loop, home),
      watchdog: { guard: (pid) => watchdog.guard(pid), release: (pid) => watchdog.release(pid) },
    });
  const keepLean = embedding === undefined ? keepMemoryLean() : () => undefined;
  // Started last: from here on nothing can fail before `driveLoop`, which stops it.
  const watchdog = startWatchdog(loop);
  let notRunnable: DriveResult['notRunnable'] = null;
  const onUnrunnable = (check: UnrunnableCheck): void => void (notRunnable = check);
  const guarded = request.allowMissingCheck ? control : cancellingUnrunnable(control, onUnrunnable);
  const end = await driveLoop({
    control: observedControl(guarded, show),
    loop,
    agent,
    clock,
    worker: thisWorker(clock),
    heartbeat: (reading) => void writeHeartbeat(home, loop, reading),
    activity: (line) => void log.append(line),
    watchdog,
    onProgress: (update) => {
      keepLean();
      const progress = progressOf(update, Date.now());
      if (progress !== null) show(progress);
    },
    interrupts: { onInterrupt: embedding?.onInterrupt ?? onInterrupt },
    waitForUsageLimit: request.wait,
  });
  return { ...end, notRunnable };
}
