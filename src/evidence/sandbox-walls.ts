import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { LoopId, Spec } from '../core/loop.ts';
import type { RoomBaseline } from '../core/room.ts';
import type { Walls } from '../system/contain.ts';
import { ignoringErrno } from '../system/errno.ts';
import type { Steps } from './command-steps.ts';
import { findFiles } from './glob-walk.ts';
import { judgeFor, rootOf } from './room/baseline.ts';
import type { FileList } from './room/file-list.ts';
import { parseList } from './room/file-list.ts';
import { readRecord } from './room/record.ts';

export type WallRequest = {
  readonly loop: LoopId;
  readonly cwd: string;
  readonly spec: Spec;
  readonly baseline: RoomBaseline | undefined;
  /** Where the baseline of the loop is kept. */
  readonly baselineDir: string;
  /** Where all loops are kept. */
  readonly home: string;
};

/** `bwrap` goes through all mounts for each file: 200 take a third of a second at each start of the agent, 1,000 take six. */
const READ_ONLY_MAX = 200;
const TEXT_BYTES_MAX = 256 * 1024;

/**
 * What a sandbox restricts: all files of tireless are hidden, and the judge's files of the baseline are read-only. Without a baseline, the
 * judge's files of the current project are used. Throws SANDBOX_UNAVAILABLE: the sandbox is never silently weaker.
 */
export function* wallsFor(request: WallRequest): Steps<Walls> {
  const home = realpathSync(request.home);
  const root = yield* rootOf(request.cwd);
  if (isInside(root, home) || isInside(realpathSync(request.cwd), home))
    throw unavailable(
      `the project is inside ${request.home}, which a sandbox hides. Set TIRELESS_HOME to another folder`,
    );
  const at = path.relative(root, realpathSync(request.cwd)).split(path.sep).join('/');
  const { files, texts } = filesOf(request, root);
  const judge = judgeFor({ spec: request.spec, at, root }, files, (file) => texts(file));
  const all = [...files.keys()];
  const owned = all.filter((file) => judge.roleOf(file) !== undefined);
  const covered = coverFiles(owned, all, READ_ONLY_MAX);
  if (covered === null)
    throw unavailable(
      `${owned.length} files judge the work and share their folders with others, but only ${READ_ONLY_MAX} can be made read-only. Exclude some with --free GLOB`,
    );
  return { hidden: [home], readOnly: realFiles(root, covered) };
}

/**
 * File by file while there are few, so that tests can be added beside them; otherwise whole folders that contain nothing else. `null` =
 * still too many.
 */
export function coverFiles(owned: readonly string[], all: readonly string[], max: number): readonly string[] | null {
  if (owned.length <= max) return owned;
  const mine = new Set(owned);
  const mixed = new Set(all.filter((file) => !mine.has(file)).flatMap(foldersAbove));
  const covered = new Set(owned.map((file) => foldersAbove(file).find((folder) => !mixed.has(folder)) ?? file));
  return covered.size <= max ? [...covered] : null;
}

/** From the outermost to the innermost, without the root itself. */
function foldersAbove(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

type Files = { readonly files: FileList; readonly texts: (file: string) => string | undefined };

function filesOf({ loop, baseline, baselineDir }: WallRequest, root: string): Files {
  if (baseline?.kind === 'kept') {
    const record = readRecord(baselineDir, baseline.judgeHash);
    if (record === undefined)
      throw unavailable(`the baseline of loop ${loop} is missing, and with it what judges the work. Start a new loop`);
    return { files: parseList(record.files).files, texts: (file) => record.texts[file] };
  }
  const found = findFiles(root, ['**']);
  if (found.cut)
    throw unavailable('the project has too many files to find those that judge the work. Start it without --sandbox');
  const files = new Map(found.paths.map((file) => [file, { mode: '100644', blob: '' }]));
  return { files, texts: (file) => readText(path.join(root, file)) };
}

/** A missing file cannot be covered, and a link is covered at its target, unless that is outside the project. */
function realFiles(root: string, files: readonly string[]): readonly string[] {
  const real = files.flatMap((file) => {
    const target = ignoringErrno(() => realpathSync(path.join(root, file)));
    return target !== undefined && target !== root && isInside(target, root) ? [target] : [];
  });
  return [...new Set(real)];
}

function isInside(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function readText(file: string): string | undefined {
  const bytes = ignoringErrno(() => readFileSync(file));
  return bytes === undefined || bytes.length > TEXT_BYTES_MAX ? undefined : bytes.toString('utf8');
}

function unavailable(why: string): Fault {
  return new Fault('SANDBOX_UNAVAILABLE', `Cannot create the sandbox: ${why}.`);
}
