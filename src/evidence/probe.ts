import { availableParallelism } from 'node:os';
import { messageOf } from '../core/fault.ts';
import type { CheckResult, ClockReading } from '../core/evidence.ts';
import type { CheckSpec, LoopId } from '../core/loop.ts';
import type { ProbeAnswer, ProbeBatch, ProbeRequest } from '../engine/ports.ts';
import { unknownAnswer } from '../engine/unknown-answer.ts';
import { isWorkerAlive } from '../system/worker-identity.ts';
import type { Steps } from './command-steps.ts';
import { runSteps, runStepsSync } from './command-steps.ts';
import { tickedCriteria } from './criteria-ticks.ts';
import { lookAtFiles, lookResult } from './file-probes.ts';
import { lookAtGit } from './git-clean.ts';
import { isHolderAlive } from './holder.ts';
import { lookAtProtected, protectedUnknown } from './protected-files.ts';
import { copyProject, enterRoom, hashWork, settleCopy, tryRoom } from './room/clean-room.ts';
import type { RoomWorld, RoomSite } from './room/furnish.ts';
import { runCheck } from './run-check.ts';
import { workspaceFingerprint } from './workspace-fingerprint.ts';

export type CheckUpdate = {
  readonly loop: LoopId;
  readonly name: string;
  readonly phase: 'started' | 'ended';
  readonly result?: CheckResult;
  /** Its whole output, bounded; absent = it has not ended, or is a hold-out. */
  readonly output?: string;
  /** In the clean room; absent = in the work tree. */
  readonly where?: 'room';
};

export type ProbeWorld = {
  /** The last heartbeat of the worker that drives the loop. */
  readonly readHeartbeat: (loop: LoopId) => ClockReading | null;
  /** Absent = every check of a spec may run, because trust was settled before the spec was made. */
  readonly allowed?: (check: CheckSpec) => boolean;
  readonly onCheck?: (update: CheckUpdate) => void;
  /** Absent = no room can be made here. */
  readonly rooms?: RoomWorld;
  /** Run commands in process namespaces. Only used for commands that are not run synchronously. */
  readonly contain?: boolean;
};

export type Probes = {
  readonly probe: (batch: ProbeBatch) => Promise<readonly ProbeAnswer[]>;
  readonly probeSync: (batch: ProbeBatch) => readonly ProbeAnswer[];
};

/** Less than a prompt gives to one check, so that the prompt does not cut it again. */
const TAIL_BYTES_MAX = 3400;
/** For all checks of a batch together: they share one journal entry. */
const TAILS_BYTES_MAX = 9600;

/**
 * Answers the engine's questions about the world. Never throws or rejects: what cannot be determined is `unknown`, `null` or "changed", and
 * none of these completes a loop. Answers are in the order of the requests.
 */
export function createProbes(world: ProbeWorld): Probes {
  return {
    probe: (batch) => {
      const width = batch.inOrder ? 1 : Math.max(2, availableParallelism());
      return inParallel(batch.requests, width, async (request) => {
        try {
          return await runSteps(answer(world, batch, request), world);
        } catch (error) {
          return unanswered(request, error);
        }
      });
    },
    probeSync: (batch) =>
      batch.requests.map((request) => {
        try {
          return runStepsSync(answer(world, batch, request));
        } catch (error) {
          return unanswered(request, error);
        }
      }),
  };
}

function* answer(world: ProbeWorld, batch: ProbeBatch, request: ProbeRequest): Steps<ProbeAnswer> {
  const { loop, cwd } = batch;
  switch (request.kind) {
    case 'check': {
      const { name } = request.check;
      world.onCheck?.({ loop, name, phase: 'started' });
      let output: string | undefined;
      const result = yield* askCheck(world, batch, request.check, (text) => (output = text));
      world.onCheck?.({ loop, name, phase: 'ended', ...shownResult(request.check, result, output) });
      return { kind: 'check', result };
    }
    case 'workspace':
      return { kind: 'workspace', fingerprint: yield* workspaceFingerprint(cwd, request.except) };
    case 'protected':
      return { kind: 'protected', facts: lookAtProtected(cwd, request.globs, request.accepted) };
    case 'criteria':
      return { kind: 'criteria', met: tickedCriteria(cwd, request.tracker, request.texts) };
    case 'room-copy':
    case 'room-baseline':
    case 'room':
    case 'work':
      return yield* answerOfRoom(world, batch, request);
    case 'holder': {
      const seen = world.readHeartbeat(loop);
      const aliveHere = isWorkerAlive(request.worker);
      return { kind: 'holder', alive: isHolderAlive({ aliveHere, seen, wallMs: Date.now() }), seen };
    }
  }
}

/** Nobody sees the output of a hold-out while the loop runs. */
function shownResult(
  { holdout }: CheckSpec,
  result: CheckResult,
  output: string | undefined,
): Pick<CheckUpdate, 'result' | 'output'> {
  return holdout ? { result: { ...result, tail: '' } } : { result, output: output ?? result.tail };
}

type OfRoom = ProbeRequest & { kind: 'room-copy' | 'room-baseline' | 'room' | 'work' };

function* answerOfRoom({ rooms, onCheck }: ProbeWorld, { loop, cwd }: ProbeBatch, request: OfRoom): Steps<ProbeAnswer> {
  if (rooms === undefined) return unanswered(request, NO_ROOMS);
  const site: RoomSite = {
    loop,
    cwd,
    spec: request.spec,
    world: rooms,
    onCheck: (name, result, output) =>
      onCheck?.({
        loop,
        name,
        where: 'room',
        ...(result === undefined
          ? { phase: 'started' }
          : { phase: 'ended', result, ...(output === undefined ? {} : { output }) }),
      }),
  };
  switch (request.kind) {
    case 'room-baseline':
      return { kind: 'room-baseline', baseline: yield* tryRoom(site, request.copy, request.results) };
    case 'room-copy':
      return {
        kind: 'room-baseline',
        baseline: yield* request.settles === undefined ? copyProject(site) : settleCopy(site, request.settles),
      };
    case 'room':
      return { kind: 'room', facts: yield* enterRoom(site, request) };
    case 'work':
      return { kind: 'work', hash: yield* hashWork(site, request.baseline) };
  }
}

const NO_ROOMS = 'no rooms are made here';

function* askCheck(
  world: ProbeWorld,
  batch: ProbeBatch,
  check: CheckSpec,
  onOutput: (text: string) => void,
): Steps<CheckResult> {
  const { loop, cwd } = batch;
  const { name, probe } = check;
  if (world.allowed?.(check) === false) {
    return { name, result: 'unknown', unknown: 'not-allowed', durationMs: 0, tail: '' };
  }
  const startMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startMs);
  switch (probe.kind) {
    case 'command': {
      const checks = batch.requests.filter((request) => request.kind === 'check').length;
      const tailBytesMax = Math.min(TAIL_BYTES_MAX, Math.floor(TAILS_BYTES_MAX / checks));
      return yield* runCheck({ loop, cwd, check, command: probe.command, tailBytesMax, onOutput });
    }
    case 'git-clean': {
      const look = yield* lookAtGit(cwd);
      return lookResult(name, elapsedMs(), look);
    }
    case 'file-exists':
    case 'file-moved':
    case 'file-matches':
    case 'json-value': {
      const look = lookAtFiles(cwd, check, probe);
      return lookResult(name, elapsedMs(), look);
    }
  }
}

function unanswered(request: ProbeRequest, error: unknown): ProbeAnswer {
  const reason = messageOf(error);
  return unknownAnswer(request, {
    check: { unknown: 'not-runnable', tail: reason },
    protectedFiles: protectedUnknown(reason),
    room: { why: 'failed', detail: reason },
  });
}

async function inParallel<A, B>(
  items: readonly A[],
  width: number,
  work: (item: A) => Promise<B>,
): Promise<readonly B[]> {
  const done: B[] = [];
  const queue = items.entries();
  const drain = async (): Promise<void> => {
    for (const [index, item] of queue) done[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, drain));
  return done;
}
