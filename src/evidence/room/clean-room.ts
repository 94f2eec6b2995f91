/**
 * The clean room: what a commit of the agent's work would contain, with the judge's files of the baseline. It is made for each finish, in a folder
 * that the agent never saw, and removed afterwards. Nothing is written to the project. Whatever goes wrong is an answer (`none`, `lost`), never a
 * fault, and proves nothing.
 */
import { realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from '../../core/evidence.ts';
import type { JudgeChange, RoomBaseline, RoomFacts, RoomFit } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import type { Steps } from '../command-steps.ts';
import type { JudgeScope } from './baseline.ts';
import { fitOf, rootOf, takeBaseline } from './baseline.ts';
import { judgeChanges } from './compose-room.ts';
import type { Dependencies } from './dependency-changes.ts';
import { dependencyChanges, freshFolders, lockBeside, newPackages, settleDependencies } from './dependency-changes.ts';
import { signsOfModes } from './elsewhere-runs.ts';
import { listHash, parseList } from './file-list.ts';
import type { Material, Site } from './furnish.ts';
import { furnish, gatherMaterial } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import { runPlanted } from './planted-runs.ts';
import type { Keep } from './private-git.ts';
import { readCommit } from './read-commit.ts';
import type { Lack } from './read-work.ts';
import { isLack, lackOfError, readBlobs, readWork } from './read-work.ts';
import type { Record } from './record.ts';
import { readLinks, readRecord, writeRecord } from './record.ts';
import type { RunsRequest } from './room-runs.ts';
import { runChecks } from './room-runs.ts';
import { readChanges, signsOf } from './room-signs.ts';
import { leadsToProject, runOne, tailShare } from './run-in-room.ts';
import { changedSurroundings } from './surroundings.ts';

/** Stores the project, and runs each check once in a room of it. `results`: those in the work tree. */
export function* keepBaseline(site: Site, results: readonly CheckResult[]): Steps<RoomBaseline> {
  const copy = yield* copyProject(site);
  const baseline = copy.kind === 'none' ? copy : yield* tryRoom(site, copy, results);
  if (baseline.kind === 'kept') return yield* settleCopy(site, baseline);
  removeKept(yield* keepOf(site));
  return baseline;
}

type Kept = RoomBaseline & { readonly kind: 'kept' };

/** Called at the start, before the agent begins. */
export function* copyProject(site: Site): Steps<RoomBaseline> {
  const { world } = site;
  if (world.platform === 'win32') return { kind: 'none', why: 'not-supported', detail: 'Windows' };
  const keep = yield* keepOf(site);
  const copy = yield* answered(takeCopy(site, keep));
  // Half a copy is useless.
  if (copy.kind === 'none') removeKept(keep);
  return copy;
}

function removeKept({ dir }: Keep): void {
  ignoringErrno(() => rmSync(dir, { recursive: true, force: true }));
}

function* takeCopy(site: Site, keep: Keep): Steps<RoomBaseline> {
  const { world } = site;
  const scope = scopeOf(site, keep);
  const taken = yield* takeBaseline({ keep, ...scope, ...world });
  if (taken.kind === 'lack') return { ...taken, kind: 'none' };
  return { kind: 'kept', ...taken.facts, judgeHash: taken.hash, fits: [] };
}

/** Everything it runs comes from the copy, so that it may take longer than the agent waits. */
export function* tryRoom(site: Site, copy: Kept, results: readonly CheckResult[]): Steps<RoomBaseline> {
  const keep = yield* keepOf(site);
  const baseline = yield* answered(tryChecks(site, keep, copy, results));
  // On a full disk the space is needed. Otherwise the room may be tried again.
  if (baseline.kind === 'none' && baseline.why === 'no-space') removeKept(keep);
  return baseline;
}

function* tryChecks(site: Site, keep: Keep, copy: Kept, results: readonly CheckResult[]): Steps<RoomBaseline> {
  const record = readRecord(keep.dir, copy.judgeHash);
  if (record === undefined) return { kind: 'none', why: 'baseline-lost', detail: keep.dir };
  const material = yield* gatherMaterial(keep, record, scopeOf(site, keep), parseList(record.files).files);
  const tried = yield* calibrate(site, material, results);
  return isLack(tried) ? { ...tried, kind: 'none' } : { ...copy, ...tried };
}

/** Called after the checks ran and before the agent begins: what the checks wrote into dependency folders does not count as a change. */
export function* settleCopy(site: Site, copy: Kept): Steps<RoomBaseline> {
  const keep = yield* keepOf(site);
  const record = readRecord(keep.dir, copy.judgeHash);
  if (record === undefined) return copy;
  const settled = settleDependencies(keep.root, record);
  return settled === record ? copy : { ...copy, judgeHash: writeRecord(keep.dir, settled) };
}

function* answered(steps: Steps<RoomBaseline>): Steps<RoomBaseline> {
  try {
    return yield* steps;
  } catch (error) {
    const lack = lackOfError(error);
    if (lack === undefined) throw error;
    return { ...lack, kind: 'none' };
  }
}

type Tried = Pick<Kept, 'fits' | 'written' | 'touched'>;

function* calibrate(site: Site, material: Material, results: readonly CheckResult[]): Steps<Tried | Lack> {
  const checks = site.spec.checks.filter((check) => check.probe.kind === 'command');
  const made = yield* furnish(site, material, 'judged');
  if (made.kind === 'lack') return made;
  const { leadsOut } = material.record;
  try {
    const fits: RoomFit[] = [];
    for (const check of checks) {
      const result = yield* runOne(made.request, check, tailShare(checks.length));
      const fit = fitOf(
        result,
        // A check that outlasted its hook has no result: by now the agent works in the project.
        results.find(({ name, unknown }) => name === check.name && unknown !== 'still-running'),
      );
      const isOut = check.probe.kind === 'command' && leadsToProject(made.request, check.probe.command);
      const by = isOut || leadsOut === undefined ? {} : { by: leadsOut };
      const out = { fit: false, because: 'leads-out', result: result.result, tail: result.tail } as const;
      fits.push(isOut || leadsOut !== undefined ? { ...fit, ...out, ...by } : fit);
    }
    return { fits, ...made.watch.written() };
  } finally {
    removeRoom(made.request.room.dir);
  }
}

/** Called at the finish: judges the work. `commit`: the files of that commit of the project instead of those in the work tree. */
export function* enterRoom(site: Site, asked: Asked): Steps<RoomFacts> {
  try {
    return yield* judgeWork(site, asked);
  } catch (error) {
    const lack = lackOfError(error);
    if (lack === undefined) throw error;
    return { ...lack, kind: 'lost' };
  }
}

type Asked = RunsRequest & { readonly commit?: string };

function* judgeWork(site: Site, asked: Asked): Steps<RoomFacts> {
  const found = yield* findWork(site, asked);
  if (isLack(found)) return { ...found, kind: 'lost' };
  const { material, work } = found;
  const ran = yield* runChecks(site, material, asked);
  if (isLack(ran)) return { ...ran, kind: 'lost' };
  const { rewritten } = ran;
  const changed = yield* readChanges(material);
  const runs = yield* runPlanted(site, material, { ...asked, runs: ran.runs, changes: changed });
  const modes = yield* signsOfModes(site, material, { ...asked, runs, changes: changed });
  const signs = [...(yield* signsOf(material, changed.files)), ...modes];
  const stands = site.spec.room?.setup === undefined ? yield* changedDependencies(material) : [];
  const made = judgeChanges(material, material.textOf);
  const isAgain = ({ path: file }: JudgeChange): boolean => rewritten.some((change) => change.path === file);
  const around = surroundingChanges(site, material);
  const changes = [...stands, ...around, ...rewritten, ...made.filter((change) => !isAgain(change))];
  return { kind: 'judged', work, runs, changes, signs };
}

/** Includes the lock files next to these folders, as they were at the start. */
function* withLocks(keep: Keep, record: Record, folders: readonly string[]): Steps<Dependencies> {
  const baseline = parseList(record.files).files;
  const blobOf = (file: string): string => baseline.get(file)?.blob ?? '';
  const blobs = folders.map((folder) => blobOf(lockBeside(folder))).filter((blob) => blob !== '');
  const texts = yield* readBlobs(keep, blobs);
  return { ...record, lockBefore: (file) => texts.get(blobOf(file))?.toString('utf8') };
}

function* changedDependencies({ keep, record }: Material): Steps<readonly JudgeChange[]> {
  return dependencyChanges(keep.root, yield* withLocks(keep, record, Object.keys(record.dependencies)));
}

function* freshDependencies(keep: Keep, record: Record, ignored: readonly string[]): Steps<Material['fresh']> {
  const folders = freshFolders(keep.root, ignored, record);
  if (folders.length === 0) return new Map();
  const given = yield* withLocks(keep, record, folders);
  return new Map(folders.map((folder) => [folder, newPackages(keep.root, folder, given)]));
}

/** Read after the runs, which may have written there too. */
function surroundingChanges({ world }: Site, { record, keep, judge }: Material): readonly JudgeChange[] {
  if (record.surroundings === undefined) return [];
  const place = { rooms: world.rooms, environment: { ...world.environment, ...record.environment } };
  return changedSurroundings(record.surroundings, place, (file) => {
    const inside = path.relative(keep.root, file).split(path.sep).join('/');
    if (inside.startsWith('../') || path.isAbsolute(inside)) return false;
    return judge.roleOf(inside) === undefined || judge.isDependency(`${inside}/x`);
  });
}

/** The work as a commit would contain it, as a hash; `null` = it cannot be determined. */
export function* hashWork(site: Site): Steps<string | null> {
  const keep = yield* keepOf(site);
  const work = yield* readWork(keep, { keepIndex: false, follow: readLinks(keep.dir) });
  return work.kind === 'lack' ? null : listHash(work.files);
}

export function* findWork(
  site: Site,
  { baseline, commit }: { readonly baseline: RoomBaseline; readonly commit?: string },
): Steps<{ readonly material: Material; readonly work: string } | Lack> {
  const keep = yield* keepOf(site);
  const record = baseline.kind === 'kept' ? readRecord(keep.dir, baseline.judgeHash) : undefined;
  if (record === undefined) return { kind: 'lack', why: 'baseline-lost', detail: keep.dir };
  const work =
    commit === undefined
      ? yield* readWork(keep, { keepIndex: false, follow: record.links })
      : yield* readCommit(keep, commit);
  if (work.kind === 'lack') return work;
  const material = yield* gatherMaterial(keep, record, scopeOf(site, keep), work.files);
  // A commit does not show what is ignored next to it.
  const ignored = commit === undefined ? work.ignored : ['node_modules/'];
  const fresh = site.spec.room?.setup === undefined ? yield* freshDependencies(keep, record, ignored) : new Map();
  return { material: { ...material, fresh }, work: listHash(work.files) };
}

export function* keepOf({ world, loop, cwd }: Site): Steps<Keep> {
  return { dir: world.baselineOf(loop), root: yield* rootOf(cwd) };
}

export function scopeOf({ spec, cwd }: Site, { root }: Keep): JudgeScope {
  const here = ignoringErrno(() => realpathSync(cwd)) ?? cwd;
  return { spec, root, at: path.relative(root, here).split(path.sep).join('/') };
}
