/**
 * The clean room: what a commit of the agent's work would contain, with the judge's files of the baseline. It is made for each finish, in a
 * folder that the agent never saw, and removed afterwards. Nothing is written to the project. Any problem is an answer (`none`, `lost`),
 * never a fault, and proves nothing.
 */
import { realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from '../../core/evidence.ts';
import type { JudgeChange, RoomBaseline, RoomFacts, RoomFit } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import type { Steps } from '../command-steps.ts';
import type { JudgeScope } from './baseline.ts';
import { rootOf, takeBaseline } from './baseline.ts';
import { judgeChanges } from './compose-room.ts';
import type { Dependencies } from './dependency-changes.ts';
import { dependencyChanges, freshFolders, lockBeside, newPackages, settleDependencies } from './dependency-changes.ts';
import { signsOfModes } from './elsewhere-runs.ts';
import type { FileList } from './file-list.ts';
import { isSameEntry, listHash, parseList } from './file-list.ts';
import type { Material, RoomSite } from './furnish.ts';
import { furnish, gatherMaterial } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import { runWithPlanted } from './planted-runs.ts';
import { runPlantedScripts } from './planted-scripts.ts';
import type { KeptProject } from './private-git.ts';
import { withOwnObjects } from './private-git.ts';
import { readCommit } from './read-commit.ts';
import type { Lack } from './read-work.ts';
import { isLack, lackOfError, readBlobs, readWork } from './read-work.ts';
import type { Record } from './record.ts';
import { openRecord, writeRecord } from './record.ts';
import { fitOf } from './room-fit.ts';
import type { RunsRequest } from './room-runs.ts';
import { readChanges, signsOf } from './room-signs.ts';
import { leadsToProject, runOne, tailShare } from './run-in-room.ts';
import { changedSurroundings } from './surroundings.ts';

/** Stores the project, and runs each check once in a room of it. `results`: the results in the work tree. */
export function* keepBaseline(site: RoomSite, results: readonly CheckResult[]): Steps<RoomBaseline> {
  const copy = yield* copyProject(site);
  const baseline = copy.kind === 'none' ? copy : yield* tryRoom(site, copy, results);
  if (baseline.kind === 'kept') return yield* settleCopy(site, baseline);
  removeKept(yield* keepOf(site));
  return baseline;
}

type Kept = RoomBaseline & { readonly kind: 'kept' };

/** Called at the start, before the agent begins. */
export function* copyProject(site: RoomSite): Steps<RoomBaseline> {
  const { world } = site;
  if (world.platform === 'win32') return { kind: 'none', why: 'not-supported', detail: 'Windows' };
  const keep = yield* keepOf(site);
  const copy = yield* answered(takeCopy(site, keep));
  // Half a copy is useless.
  if (copy.kind === 'none') removeKept(keep);
  return copy;
}

function removeKept({ dir }: KeptProject): void {
  ignoringErrno(() => rmSync(dir, { recursive: true, force: true }));
}

function* takeCopy(site: RoomSite, keep: KeptProject): Steps<RoomBaseline> {
  const { world } = site;
  const scope = scopeOf(site, keep);
  const taken = yield* takeBaseline({ keep, ...scope, ...world });
  if (taken.kind === 'lack') return { ...taken, kind: 'none' };
  return { kind: 'kept', ...taken.facts, judgeHash: taken.hash, fits: [] };
}

/** Everything it runs comes from the copy, so it may take longer than the agent waits. */
export function* tryRoom(site: RoomSite, copy: Kept, results: readonly CheckResult[]): Steps<RoomBaseline> {
  const keep = yield* keepOf(site);
  const baseline = yield* answered(tryChecks(site, keep, copy, results));
  // On a full disk the space is needed. Otherwise the room may be tried again.
  if (baseline.kind === 'none' && baseline.why === 'no-space') removeKept(keep);
  return baseline;
}

function* tryChecks(
  site: RoomSite,
  keep: KeptProject,
  copy: Kept,
  results: readonly CheckResult[],
): Steps<RoomBaseline> {
  const record = openRecord(keep.dir, copy.judgeHash);
  if (isLack(record)) return { ...record, kind: 'none' };
  const material = yield* gatherMaterial(keep, record, scopeOf(site, keep), parseList(record.files).files);
  const tried = yield* calibrate(site, material, { results, ignored: copy.ignored ?? [] });
  return isLack(tried) ? { ...tried, kind: 'none' } : { ...copy, ...tried };
}

/** Called after the checks ran and before the agent begins: what the checks wrote into dependency folders does not count as a change. */
export function* settleCopy(site: RoomSite, copy: Kept): Steps<RoomBaseline> {
  const keep = yield* keepOf(site);
  const record = openRecord(keep.dir, copy.judgeHash);
  if (isLack(record)) return copy;
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

type InTree = { readonly results: readonly CheckResult[]; readonly ignored: readonly string[] };

function* calibrate(site: RoomSite, material: Material, { results, ignored }: InTree): Steps<Tried | Lack> {
  const checks = site.spec.checks.filter((check) => check.probe.kind === 'command');
  const made = yield* furnish(site, material, 'judged');
  if (made.kind === 'lack') return made;
  const { leadsOut } = material.record;
  try {
    const fits: RoomFit[] = [];
    for (const check of checks) {
      // A check that outlasted its hook has no result: by now the agent works in the project.
      const tree = results.find(({ name, unknown }) => name === check.name && unknown !== 'still-running');
      const share = tailShare(checks.length);
      let result = yield* runOne(made.request, check, share);
      // A flaky test must not make the room unfit.
      if (tree?.result === 'failed' && result.result === 'failed' && !fitOf(result, tree, ignored).fit)
        result = yield* runOne(made.request, check, share);
      const fit = fitOf(result, tree, ignored);
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
export function* enterRoom(site: RoomSite, asked: Asked): Steps<RoomFacts> {
  try {
    return yield* withOwnObjects(yield* keepOf(site), (keep) => judgeWork(site, keep, asked));
  } catch (error) {
    const lack = lackOfError(error);
    if (lack === undefined) throw error;
    return { ...lack, kind: 'lost' };
  }
}

type Asked = RunsRequest & { readonly commit?: string };

function* judgeWork(site: RoomSite, keep: KeptProject, asked: Asked): Steps<RoomFacts> {
  const found = yield* findWork(site, keep, asked);
  if (isLack(found)) return { ...found, kind: 'lost' };
  const { material, files } = found;
  const changed = yield* readChanges(material);
  const ran = yield* runWithPlanted(site, material, { ...asked, changes: changed });
  if (isLack(ran)) return { ...ran, kind: 'lost' };
  const { rewritten } = ran;
  const place = { site, material, at: scopeOf(site, material.keep).at };
  const runs = yield* runPlantedScripts(place, { ...asked, runs: ran.runs, changes: changed });
  const modes = yield* signsOfModes(site, material, { ...asked, runs, changes: changed });
  const signs = [...(yield* signsOf(material, changed.files)), ...modes];
  const stands = site.spec.room?.setup === undefined ? yield* changedDependencies(material) : [];
  const made = judgeChanges(material, material.textOf);
  const isAgain = ({ path: file }: JudgeChange): boolean => rewritten.some((change) => change.path === file);
  const around = surroundingChanges(site, material);
  const changes = [...stands, ...around, ...rewritten, ...made.filter((change) => !isAgain(change))];
  const changedNow = asked.commit === undefined ? yield* changedSince(material, files) : undefined;
  if (changedNow !== undefined) return { ...changedNow, kind: 'lost' };
  return { kind: 'judged', work: listHash(files), runs, changes, signs };
}

/** Something else may append to these while the checks run. */
const LOGS = /\.log$/;

/** What runs in the room can write to the project. Then the work that was judged is not the work that is there. */
function* changedSince({ keep, record, judge }: Material, judged: FileList): Steps<Lack | undefined> {
  const now = yield* readWork(keep, { keepIndex: false, follow: record.links });
  if (isLack(now)) return now;
  const isOther = (file: string): boolean => judge.isGenerated(file) || judge.isDependency(file) || LOGS.test(file);
  const changed = [...new Set([...judged.keys(), ...now.files.keys()])].find(
    (file) => !isSameEntry(judged.get(file), now.files.get(file)) && !isOther(file),
  );
  return changed === undefined ? undefined : { kind: 'lack', why: 'work-changed', detail: changed };
}

/** Includes the lock files next to these folders, as they were at the start. */
function* withLocks(keep: KeptProject, record: Record, folders: readonly string[]): Steps<Dependencies> {
  const baseline = parseList(record.files).files;
  const blobOf = (file: string): string => baseline.get(file)?.blob ?? '';
  const blobs = folders.map((folder) => blobOf(lockBeside(folder))).filter((blob) => blob !== '');
  const texts = yield* readBlobs(keep, blobs);
  return { ...record, lockBefore: (file) => texts.get(blobOf(file))?.toString('utf8') };
}

function* changedDependencies({ keep, record }: Material): Steps<readonly JudgeChange[]> {
  return dependencyChanges(keep.root, yield* withLocks(keep, record, Object.keys(record.dependencies)));
}

function* freshDependencies(keep: KeptProject, record: Record, ignored: readonly string[]): Steps<Material['fresh']> {
  const folders = freshFolders(keep.root, ignored, record);
  if (folders.length === 0) return new Map();
  const given = yield* withLocks(keep, record, folders);
  return new Map(folders.map((folder) => [folder, newPackages(keep.root, folder, given)]));
}

/** Read after the runs, which may have written there too. */
function surroundingChanges({ world }: RoomSite, { record, keep, judge }: Material): readonly JudgeChange[] {
  if (record.surroundings === undefined) return [];
  const place = { rooms: world.rooms, environment: { ...world.environment, ...record.environment } };
  return changedSurroundings(record.surroundings, place, (file) => {
    const inside = path.relative(keep.root, file).split(path.sep).join('/');
    if (inside.startsWith('../') || path.isAbsolute(inside)) return false;
    return judge.roleOf(inside) === undefined || judge.isDependency(`${inside}/x`);
  });
}

/** The work as a commit would contain it, as a hash; `null` = it cannot be determined. */
export function* hashWork(site: RoomSite, baseline: RoomBaseline): Steps<string | null> {
  return yield* withOwnObjects(yield* keepOf(site), function* (keep) {
    const record = recordOf(keep, baseline);
    const work = isLack(record) ? record : yield* readWork(keep, { keepIndex: false, follow: record.links });
    return isLack(work) ? null : listHash(work.files);
  });
}

function recordOf({ dir }: KeptProject, baseline: RoomBaseline): Record | Lack {
  return baseline.kind === 'kept'
    ? openRecord(dir, baseline.judgeHash)
    : { kind: 'lack', why: 'baseline-lost', detail: dir };
}

export function* findWork(
  site: RoomSite,
  keep: KeptProject,
  { baseline, commit }: { readonly baseline: RoomBaseline; readonly commit?: string },
): Steps<{ readonly material: Material; readonly files: FileList } | Lack> {
  const record = recordOf(keep, baseline);
  if (isLack(record)) return record;
  const work =
    commit === undefined
      ? yield* readWork(keep, { keepIndex: false, follow: record.links })
      : yield* readCommit(keep, commit);
  if (work.kind === 'lack') return work;
  const material = yield* gatherMaterial(keep, record, scopeOf(site, keep), work.files);
  // A commit does not show what is ignored next to it.
  const ignored = commit === undefined ? work.ignored : ['node_modules/'];
  const fresh = site.spec.room?.setup === undefined ? yield* freshDependencies(keep, record, ignored) : new Map();
  return { material: { ...material, fresh }, files: work.files };
}

export function* keepOf({ world, loop, cwd }: RoomSite): Steps<KeptProject> {
  return { dir: world.baselineOf(loop), root: yield* rootOf(cwd) };
}

export function scopeOf({ spec, cwd }: RoomSite, { root }: KeptProject): JudgeScope {
  const here = ignoringErrno(() => realpathSync(cwd)) ?? cwd;
  return { spec, root, at: path.relative(root, here).split(path.sep).join('/') };
}
