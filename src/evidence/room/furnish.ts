import path from 'node:path';
import type { CheckResult } from '../../core/evidence.ts';
import type { LoopId, Spec } from '../../core/loop.ts';
import type { Steps } from '../command-steps.ts';
import { withJudgeParts } from '../judge/parts.ts';
import { isJudgeVariable, JUDGE_HOME } from '../judge/registry.ts';
import type { Environment, JudgeScope } from './baseline.ts';
import { judgeFor } from './baseline.ts';
import type { RoomMode, TextOf, Versions } from './compose-room.ts';
import { composeRoom, mixedFiles } from './compose-room.ts';
import type { FileEntry, FileList } from './file-list.ts';
import { isSameEntry, LINK_MODE, parseList } from './file-list.ts';
import { restoreEnvironment } from './judge-environment.ts';
import { changedHome } from './judge-home.ts';
import { leadsInside } from './linked-folders.ts';
import { isMakefile, onlyAddsSources } from './make-sources.ts';
import { makeRoom, removeDeadRooms, removeRoom } from './make-room.ts';
import { environmentInRoom } from './paths-out.ts';
import type { KeptProject } from './private-git.ts';
import type { Lack } from './read-work.ts';
import { readBlobs } from './read-work.ts';
import type { Record } from './record.ts';
import type { RoomRunRequest } from './run-in-room.ts';
import { runSetup } from './run-in-room.ts';
import type { Watch } from './watch-judge.ts';
import { watchJudge } from './watch-judge.ts';

/** Where, for whom and for what a room is made. */
export type RoomSite = {
  readonly loop: LoopId;
  readonly cwd: string;
  readonly spec: Spec;
  readonly world: RoomWorld;
  readonly onCheck: (name: string, result?: CheckResult, output?: string) => void;
};

export type RoomWorld = {
  /** Where a loop keeps its baseline, and where rooms are made. */
  readonly baselineOf: (loop: LoopId) => string;
  readonly rooms: string;
  readonly home: string;
  readonly environment: Environment;
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** A random whole number below the given one; absent = always 0. */
  readonly draw?: (below: number) => number;
};

/** What all rooms of one judgement are made of. */
export type Material = Versions & {
  readonly keep: KeptProject;
  readonly record: Record;
  readonly textOf: TextOf;
  /** The contents read so far, by blob. */
  readonly read: ReadonlyMap<string, Buffer>;
  /** Dependency folders that did not exist at the start, and which of their packages the room has. */
  readonly fresh: ReadonlyMap<string, ReadonlySet<string>>;
};

export function* gatherMaterial(keep: KeptProject, record: Record, scope: JudgeScope, work: FileList): Steps<Material> {
  const kept = parseList(record.files).files;
  const judge = judgeFor(scope, kept, (file) => record.texts[file], record.helpers);
  const baseline = yield* withNewSources(keep, { baseline: kept, work, judge });
  const versions = { baseline, work: withoutNewLinks(keep.root, work, baseline), judge };
  const blobs = mixedFiles(versions).flatMap((file) => [baseline.get(file)?.blob, work.get(file)?.blob]);
  const read = yield* readBlobs(
    keep,
    blobs.filter((blob) => blob !== undefined),
  );
  const textOf: TextOf = (file, version) => {
    const blob = (version === 'work' ? work : baseline).get(file)?.blob;
    return blob === undefined ? undefined : read.get(blob)?.toString('utf8');
  };
  return { ...versions, keep, record, textOf, read, fresh: new Map() };
}

/** A Makefile that only names more sources of the product is used as it is now. */
function* withNewSources(keep: KeptProject, { baseline, work, judge }: Versions): Steps<FileList> {
  const changed = [...baseline].flatMap(([file, before]) => {
    const now = work.get(file);
    if (!isMakefile(file) || now === undefined || now.mode !== before.mode || now.blob === before.blob) return [];
    return judge.roleOf(file) === undefined ? [] : [{ file, before, now }];
  });
  if (changed.length === 0) return baseline;
  const texts = yield* readBlobs(
    keep,
    changed.flatMap(({ before, now }) => [before.blob, now.blob]),
  );
  const textOf = ({ blob }: FileEntry): string => texts.get(blob)?.toString('utf8') ?? '';
  const accepted = changed.filter(({ file, before, now }) =>
    onlyAddsSources(textOf(before), textOf(now), (word) => {
      const source = path.posix.join(path.posix.dirname(file), word);
      return work.has(source) && work.get(source)?.mode !== LINK_MODE && judge.roleOf(source) === undefined;
    }),
  );
  return new Map([...baseline, ...accepted.map(({ file, now }) => [file, now] as const)]);
}

/** A new link may lead to files that no commit contains. A link that replaced an existing file is kept if it leads to a file of the work. */
function withoutNewLinks(root: string, work: FileList, baseline: FileList): FileList {
  const isKept = (file: string, entry: FileEntry): boolean =>
    isSameEntry(baseline.get(file), entry) || (baseline.has(file) && leadsInside(root, work, file));
  return new Map([...work].filter(([file, entry]) => entry.mode !== LINK_MODE || isKept(file, entry)));
}

/** `watch`: started before anything ran in the room, including its setup. */
export type FurnishedRoom = { readonly kind: 'furnished'; readonly request: RoomRunRequest; readonly watch: Watch };

/** A complete room, already set up. The caller removes it. `others`: texts that replace files in it. */
export function* furnish(
  site: RoomSite,
  material: Material,
  mode: RoomMode,
  others: ReadonlyMap<string, string> = new Map(),
): Steps<FurnishedRoom | Lack> {
  const { loop, cwd, spec, world, onCheck } = site;
  const { keep, record } = material;
  removeDeadRooms(world.rooms);
  const files = composeRoom(material, mode);
  const mixed = mode === 'as-left' ? [] : mixedTexts(material, mode === 'with-added');
  const texts = new Map([...mixed, ...others]);
  const room = yield* makeRoom(keep, {
    rooms: world.rooms,
    files,
    added: [...files.keys()].filter((file) => !material.baseline.has(file)),
    texts,
    dependencies: new Map([
      ...Object.keys(record.dependencies).map((folder) => [folder, undefined] as const),
      ...material.fresh,
    ]),
    kept: record.kept,
    home: { real: world.home, changed: changedHome(world.home, JUDGE_HOME, record.home), record: record.home },
  });
  if (room.kind === 'lack') return room;
  const restored = restoreEnvironment(record.environment, world.environment, isJudgeVariable);
  const place = { root: keep.root, home: world.home };
  const environment = {
    ...restored,
    ...environmentInRoom({ ...world.environment, ...restored }, place, room.root),
  };
  const request = { loop, room, cwd, ...place, environment, setup: spec.room?.setup, onCheck };
  // Tests that the agent added may rewrite themselves: no result depends on them alone.
  const watched = new Map([...files].filter(([file]) => material.baseline.has(file)));
  const watch = watchJudge(room.root, { files: watched, texts }, material.judge);
  if (watch.misplaced !== undefined) {
    removeRoom(room.dir);
    return { kind: 'lack', why: 'baseline-changed', detail: watch.misplaced };
  }
  const setup = yield* runSetup(request);
  if (setup === null || setup.result === 'passed') return { kind: 'furnished', request, watch };
  removeRoom(room.dir);
  return { kind: 'lack', why: 'setup-failed', detail: setup.tail };
}

function mixedTexts(material: Material, keepAdded: boolean): ReadonlyMap<string, string | undefined> {
  const { textOf, judge } = material;
  return new Map(
    mixedFiles(material).flatMap((file) => {
      const options = { keepAdded, aliases: judge.aliasesIn(file) };
      const { text, changed } = withJudgeParts(file, textOf(file, 'work'), textOf(file, 'baseline'), options);
      // Product code whose own tests are unchanged keeps its exact bytes.
      return changed.length === 0 && !judge.isMixed(file) ? [] : [[file, text] as const];
    }),
  );
}
