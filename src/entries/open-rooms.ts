import { rmSync } from 'node:fs';
import path from 'node:path';
import type { RoomService } from '../cli/room-service.ts';
import type { CheckResult } from '../core/evidence.ts';
import type { JudgedBaseline } from '../core/judge-report.ts';
import type { CheckSpec, Spec } from '../core/loop.ts';
import type { RoomBaseline } from '../core/room.ts';
import { fitOf } from '../core/room.ts';
import { noRoomOf, unverified, verificationOf } from '../core/verification.ts';
import type { NoRoom, Verification } from '../core/verification.ts';
import type { Loaded } from '../engine/ports.ts';
import { runSteps } from '../evidence/command-steps.ts';
import { commitOfWork, readCheckout } from '../evidence/room/work-identity.ts';
import { newId } from '../system/ids.ts';
import { createProbes } from '../evidence/probe.ts';
import { rootOf } from '../evidence/room/baseline.ts';
import { enterRoom, keepBaseline, keepOf, scopeOf } from '../evidence/room/clean-room.ts';
import { diffJudge } from '../evidence/room/diff-judge.ts';
import { describeJudge } from '../evidence/room/describe-judge.ts';
import type { RoomSite } from '../evidence/room/furnish.ts';
import { lookAtCommit } from '../evidence/room/look-at-commit.ts';
import { commitOf } from '../evidence/room/read-commit.ts';
import { isLack } from '../evidence/room/read-work.ts';
import { openRecord } from '../evidence/room/record.ts';
import { roomWorldIn } from './room-world.ts';

/** The clean room outside a decision: reads a loop, and changes nothing about it. */
export function openRooms(home: string): RoomService {
  return {
    commitOf: async (cwd, rev) => runSteps(commitOf(await runSteps(rootOf(cwd)), rev)),
    judge: (loaded, request) => judge(home, loaded, request),
    describe: (loaded) => describe(home, loaded),
    tryProject: (spec, cwd) => tryOut(home, spec, cwd),
    diff: (loaded) => diff(home, loaded),
    runChecks: ({ spec, state }) => lookIn(state, spec.checks),
    ticked: async ({ spec, state }) => {
      const texts = spec.criteria.map((criterion) => criterion.text);
      const { tracker } = spec;
      if (tracker === undefined || texts.length === 0) return state.criteriaMet;
      const { probe } = createProbes({ readHeartbeat: () => null });
      const requests = [{ kind: 'criteria', tracker, texts }] as const;
      const [answer] = await probe({ loop: state.loop, cwd: state.cwd, requests, inOrder: true });
      return answer?.kind === 'criteria' ? answer.met : [];
    },
    commitOfWork: ({ spec, state }, work, except) =>
      runSteps(commitOfWork(siteOf(home, { loop: state.loop, cwd: state.cwd, spec }), work, except)),
    readCheckout: async (cwd, except) => {
      const checkout = await runSteps(readCheckout(roomWorldIn(home), cwd, except));
      return isLack(checkout) ? null : checkout;
    },
  };
}

type JudgeRequest = Parameters<RoomService['judge']>[1];

async function judge(home: string, loaded: Loaded, request: JudgeRequest): Promise<Verification> {
  const { spec, state } = loaded;
  const lack = noRoomOf(spec, state);
  const baseline = state.room;
  if (lack !== null || baseline === undefined) return unverified(spec, lack ?? { why: 'no-baseline', detail: '' });
  const { commit, onCheck } = request;
  const site: RoomSite = { ...siteOf(home, { loop: state.loop, cwd: state.cwd, spec }), onCheck };
  const looked = await lookAtWork(site, commit, spec.checks);
  if ('why' in looked) return unverified(spec, looked);
  const checks = spec.checks.filter((check) => fitOf(baseline, check.name)?.fit === true);
  const asked = { checks, baseline, ...(commit === undefined ? {} : { commit }) };
  return verificationOf(loaded, await runSteps(enterRoom(site, asked)), looked);
}

/** Checks that only read files need no room. */
async function lookAtWork(
  site: RoomSite,
  commit: string | undefined,
  all: readonly CheckSpec[],
): Promise<readonly CheckResult[] | NoRoom> {
  const checks = all.filter((check) => check.probe.kind !== 'command');
  if (commit === undefined) return lookIn(site, checks);
  const looks = await runSteps(lookAtCommit(site, commit, checks));
  return isLack(looks) ? { why: looks.why, detail: looks.detail } : looks;
}

/** One after the other, in the work tree. */
async function lookIn(
  { loop, cwd }: Pick<RoomSite, 'loop' | 'cwd'>,
  checks: readonly CheckSpec[],
): Promise<readonly CheckResult[]> {
  const { probe } = createProbes({ readHeartbeat: () => null });
  const requests = checks.map((check) => ({ kind: 'check', check }) as const);
  const answers = await probe({ loop, cwd, requests, inOrder: true });
  return answers.flatMap((answer) => (answer.kind === 'check' ? [answer.result] : []));
}

async function describe(home: string, { spec, state }: Loaded): Promise<JudgedBaseline> {
  const site = siteOf(home, { loop: state.loop, cwd: state.cwd, spec });
  return withReport(site, state.room);
}

/** Next to the rooms, under the number of this process, so that anything a killed process leaves is removed with its rooms. */
async function tryOut(home: string, spec: Spec, cwd: string): Promise<JudgedBaseline> {
  const world = roomWorldIn(home);
  const trial = path.join(world.rooms, `${process.pid}-${newId()}`);
  const site = { ...siteOf(home, { loop: 'trial', cwd, spec }), world: { ...world, baselineOf: () => trial } };
  try {
    const results = await lookIn(
      site,
      spec.checks.filter((check) => !check.holdout),
    );
    return await withReport(site, await runSteps(keepBaseline(site, results)));
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

async function diff(home: string, { spec, state }: Loaded): ReturnType<RoomService['diff']> {
  if (state.room === undefined) return null;
  const site = siteOf(home, { loop: state.loop, cwd: state.cwd, spec });
  const found = await runSteps(diffJudge(site, state.room));
  return isLack(found) ? null : found;
}

async function withReport(site: RoomSite, baseline: RoomBaseline | undefined): Promise<JudgedBaseline> {
  if (baseline?.kind !== 'kept') return { baseline };
  const keep = await runSteps(keepOf(site));
  const record = openRecord(keep.dir, baseline.judgeHash);
  return isLack(record)
    ? { baseline: { ...record, kind: 'none' } }
    : { baseline, report: await runSteps(describeJudge(keep, record, scopeOf(site, keep))) };
}

function siteOf(home: string, place: Pick<RoomSite, 'loop' | 'cwd' | 'spec'>): RoomSite {
  return { ...place, world: roomWorldIn(home), onCheck: () => undefined };
}
