import { cpSync, existsSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Spec } from '../../core/loop.ts';
import type { RoomBaseline } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import type { Steps } from '../command-steps.ts';
import { askIgnored, gitRootOf } from '../git-status.ts';
import { DEPENDENCIES, judgeOf, patternsAt, unmatchedPatterns } from '../judge/classify.ts';
import type { Judge } from '../judge/classify.ts';
import { isJudgeVariable, JUDGE_HOME } from '../judge/registry.ts';
import type { Helpers } from '../judge/test-helpers.ts';
import { findHelpers } from '../judge/test-helpers.ts';
import { readRegular } from '../read-regular.ts';
import { recordFolder } from './dependency-folders.ts';
import type { FileList } from './file-list.ts';
import { LINK_MODE, listText } from './file-list.ts';
import { keepEnvironment } from './judge-environment.ts';
import { keepHome } from './judge-home.ts';
import { findLeadingOut } from './leading-out.ts';
import { spreadRooms } from './make-room.ts';
import { recordGit } from './own-git.ts';
import { withRoot } from './paths-out.ts';
import type { KeptProject } from './private-git.ts';
import { askGit, ATTRIBUTES, gitDirOf } from './private-git.ts';
import { addTrackedIgnored, ignoreFiles } from './project-git.ts';
import type { Lack, Work } from './read-work.ts';
import { lackOf, readWork } from './read-work.ts';
import type { Record } from './record.ts';
import { writeRecord } from './record.ts';
import { sealOf } from './seal.ts';
import { readSurroundings } from './surroundings.ts';

export type Environment = Readonly<{ [name: string]: string | undefined }>;

export type BaselineRequest = {
  readonly keep: KeptProject;
  readonly spec: Spec;
  /** Where the checks run, from the root. */
  readonly at: string;
  /** Where rooms are made. */
  readonly rooms: string;
  readonly home: string;
  readonly environment: Environment;
};

export type TakenBaseline = {
  readonly kind: 'taken';
  readonly record: Record;
  readonly hash: string;
  readonly facts: Facts;
};

type Facts = Omit<RoomBaseline & { kind: 'kept' }, 'kind' | 'fits' | 'judgeHash'>;

const IGNORED_MAX = 30;
const TEXT_BYTES_MAX = 256 * 1024;

/** The repository around the project, or the project itself if there is no repository or it ignores the project. */
export function* rootOf(cwd: string): Steps<string> {
  const here = ignoringErrno(() => realpathSync(cwd)) ?? cwd;
  const root = gitRootOf(here);
  if (root === undefined) return here;
  return root !== here && (yield askIgnored(here)).exitCode === 0 ? here : root;
}

/** Stores everything that a room needs, before the agent can touch it. */
export function* takeBaseline(request: BaselineRequest): Steps<TakenBaseline | Lack> {
  const { keep, spec, at } = request;
  const scope = { spec, at, root: keep.root };
  rmSync(keep.dir, { recursive: true, force: true });
  mkdirSync(keep.dir, { recursive: true, mode: 0o700 });
  const began = yield* beginRepository(request);
  if (began !== null) return began;
  yield* spreadRooms(keep, request.rooms);
  yield* addTrackedIgnored(keep, path.join(keep.dir, 'index'));
  const whole = yield* readWork(keep, { keepIndex: true, follow: 'all' });
  if (whole.kind === 'lack') return whole;
  const texts: { [path: string]: string } = {};
  const readTextOf = (file: string): string | undefined => {
    const text = readText(path.join(keep.root, file));
    if (text !== undefined) texts[file] = text;
    return text;
  };
  const work = yield* withJudgeLinks(keep, whole, () => judgeFor(scope, whole.files, readTextOf));
  if (work.kind === 'lack') return work;
  const plain = judgeFor(scope, work.files, readTextOf);
  const helpers = helpersOf(keep.root, work, plain);
  const judge = judgeFor(scope, work.files, readTextOf, helpers);
  const kept = keepIgnored(request, work);
  const leadsOut = yield* findLeadingOut(request, work, { judge, texts });
  const git = recordGit();
  const record: Record = {
    version: 1,
    files: listText(work.files),
    texts,
    dependencies: spec.room?.setup === undefined ? dependenciesIn(keep.root, work) : {},
    home: keepHome(request.home, JUDGE_HOME, path.join(keep.dir, 'home')),
    environment: keepEnvironment(request.environment, isJudgeVariable),
    surroundings: readSurroundings(request),
    helpers,
    kept: kept.found,
    links: work.links,
    ...(leadsOut === undefined ? {} : { leadsOut }),
    ...(git === undefined ? {} : { git }),
    seal: sealOf(keep.dir),
  };
  const patterns = [...spec.protect, ...(spec.room?.free ?? [])];
  const isMatched = (pattern: string): boolean =>
    unmatchedPatterns(patternsAt(at, [pattern]), [...work.files.keys()]).length === 0;
  const unmatched = [...patterns.filter((pattern) => !isMatched(pattern)), ...kept.missing];
  const ignored = work.ignored.filter((file) => !judge.isGenerated(file) && !isDependencyFolder(file));
  return {
    kind: 'taken',
    record,
    hash: writeRecord(keep.dir, record),
    facts: {
      files: work.files.size,
      judgeFiles: [...work.files.keys()].filter((file) => judge.roleOf(file) !== undefined).length,
      ...(unmatched.length === 0 ? {} : { unmatched }),
      ...(ignored.length === 0 ? {} : { ignored: ignored.slice(0, IGNORED_MAX) }),
    },
  };
}

function helpersOf(root: string, work: Work, judge: Judge): Helpers {
  return findHelpers({
    paths: [...work.files].flatMap(([file, { mode }]) => (mode === LINK_MODE ? [] : [file])),
    roleOf: (file) => judge.roleOf(file),
    isShared: (file) => judge.isMixed(file),
    isLeftOut: (file) => judge.isDependency(file) || judge.isGenerated(file),
    readText: (file) => readText(path.join(root, file)),
  });
}

/** A link to a folder is followed only if there are judge's files behind it. */
function* withJudgeLinks(keep: KeptProject, work: Work, judgeOfAll: () => Judge): Steps<Work | Lack> {
  if (work.links.length === 0) return work;
  const judge = judgeOfAll();
  const isJudges = (link: string): boolean =>
    [...work.files.keys()].some((file) => file.startsWith(`${link}/`) && judge.roleOf(file) !== undefined);
  const links = work.links.filter(isJudges);
  return links.length === work.links.length ? work : yield* readWork(keep, { keepIndex: false, follow: links });
}

export type JudgeScope = Pick<BaselineRequest, 'spec' | 'at'> & { readonly root: string };

export function judgeFor(
  { spec, at, root }: JudgeScope,
  files: FileList,
  readTextOf: (file: string) => string | undefined,
  helpers?: Helpers,
): Judge {
  return judgeOf({
    commands: spec.checks.flatMap(({ probe }) =>
      probe.kind === 'command' ? [withRoot(probe.command, root, path.posix.relative(at, '') || '.')] : [],
    ),
    at,
    paths: [...files.keys()],
    protect: spec.protect,
    free: spec.room?.free ?? [],
    reports: spec.checks.flatMap((check) => check.reports ?? []),
    helpers,
    readText: readTextOf,
  });
}

/** Our own empty repository, which ignores what the project and its user ignore. */
export function* beginRepository({
  keep,
  home,
  environment,
}: Pick<BaselineRequest, 'keep' | 'home' | 'environment'>): Steps<Lack | null> {
  const answer = yield askGit(keep, 'unset GIT_WORK_TREE; %git init -q --bare --template= "$GIT_DIR"', {});
  if (answer.exitCode !== 0) return lackOf(answer);
  const info = path.join(gitDirOf(keep), 'info');
  mkdirSync(info, { recursive: true });
  writeFileSync(path.join(info, 'attributes'), ATTRIBUTES);
  const config = environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
  const usual = [path.join(keep.root, '.git/info/exclude'), path.join(config, 'git/ignore')];
  const theirs = [...new Set(yield* ignoreFiles(keep, usual))];
  const ours = [
    '.tireless/',
    ...DEPENDENCIES.filter(({ marker }) => marker === undefined).map(({ folder }) => `${folder}/`),
  ];
  writeFileSync(path.join(info, 'exclude'), [...theirs.map((file) => readText(file) ?? ''), ...ours, ''].join('\n'));
  return null;
}

function dependenciesIn(root: string, work: Work): Record['dependencies'] {
  const folders = work.ignored.filter(isDependencyFolder);
  return Object.fromEntries(
    folders.flatMap((folder) => {
      const record = recordFolder(path.join(root, folder), root);
      return record === null ? [] : [[folder.replace(/\/$/, ''), record]];
    }),
  );
}

function isDependencyFolder(file: string): boolean {
  return DEPENDENCIES.some(({ folder }) => file === `${folder}/` || file.endsWith(`/${folder}/`));
}

function keepIgnored(
  { keep, spec, at }: BaselineRequest,
  work: Work,
): { readonly found: string[]; readonly missing: string[] } {
  const found: string[] = [];
  const missing: string[] = [];
  for (const given of spec.room?.keep ?? []) {
    const file = path.posix.join(at, given.replace(/\/$/, ''));
    const from = path.join(keep.root, file);
    const isInside = !path.relative(keep.root, from).startsWith('..');
    if (!isInside || !existsSync(from)) missing.push(given);
    else if (!work.files.has(file)) {
      cpSync(realpathSync(from), path.join(keep.dir, 'kept', file), COPY);
      found.push(file);
    }
  }
  return { found, missing };
}

/** Pipes and sockets are left out: they cannot be copied, and nothing would answer behind them. */
const COPY = {
  recursive: true,
  preserveTimestamps: true,
  verbatimSymlinks: true,
  filter: (file: string): boolean => {
    const stats = lstatSync(file);
    return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
  },
};

function readText(file: string): string | undefined {
  const read = readRegular(file, TEXT_BYTES_MAX);
  return read.kind === 'bytes' ? read.bytes.toString('utf8') : undefined;
}
