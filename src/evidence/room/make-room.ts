import { chmodSync, lutimesSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, ignoringErrno } from '../../system/errno.ts';
import { newId } from '../../system/ids.ts';
import type { Steps } from '../command-steps.ts';
import { linkFolder } from './dependency-folders.ts';
import type { FileList } from './file-list.ts';
import { listText } from './file-list.ts';
import { makeHome } from './judge-home.ts';
import type { HomePlan } from './judge-home.ts';
import type { KeptProject } from './private-git.ts';
import { askGit } from './private-git.ts';
import type { Lack } from './read-work.ts';
import { isLack, lackOf } from './read-work.ts';

export type RoomPlan = {
  /** Where rooms are made. */
  readonly rooms: string;
  readonly files: FileList;
  /** Texts that replace those in `files`; `undefined` = the file is not in the room. */
  readonly texts: ReadonlyMap<string, string | undefined>;
  /** Files that the baseline does not have, as paths from the root. */
  readonly added: readonly string[];
  /** Folders, as paths from the root, that link to those of the project, and which packages of each; `undefined` = all. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** Ignored files, as paths from the root and as they were stored at the start. */
  readonly kept: readonly string[];
  readonly home: HomePlan;
};

export type Room = {
  readonly kind: 'room';
  readonly dir: string;
  /** The root of the project inside the room. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** The time of files that the baseline does not have: older than any source, so that make rebuilds those that are build output. */
const LONG_AGO = new Date('2000-01-01T12:00:00Z');

/**
 * ext4 does not reuse blocks that were deleted in the last minutes, but searches all of them for each new file: beside a room of 10,000
 * files that was just removed, another one takes 5 s instead of 0.2. With this attribute it places rooms far apart. Other file systems
 * refuse it.
 */
export function* spreadRooms(keep: KeptProject, rooms: string): Steps<void> {
  mkdirSync(rooms, { recursive: true, mode: 0o700 });
  yield askGit(keep, 'chattr +T "$ROOMS" 2>/dev/null || :', { ROOMS: rooms });
}

/** A new folder that nobody else knows. The caller removes it. */
export function* makeRoom(keep: KeptProject, plan: RoomPlan): Steps<Room | Lack> {
  const dir = path.join(plan.rooms, `${process.pid}-${newId()}`);
  let room: Room | Lack | undefined;
  try {
    room = yield* fillRoom(keep, plan, dir);
    return room;
  } finally {
    if (room?.kind !== 'room') removeRoom(dir);
  }
}

function* fillRoom(keep: KeptProject, plan: RoomPlan, dir: string): Steps<Room | Lack> {
  const root = path.join(dir, path.basename(keep.root) || 'project');
  mkdirSync(path.join(dir, 'tmp'), { recursive: true, mode: 0o700 });
  mkdirSync(root);
  const index = path.join(dir, 'index');
  writeFileSync(`${index}.list`, listText(plan.files));
  const answer = yield askGit(
    keep,
    '%git update-index -z --index-info < "$GIT_INDEX_FILE.list" && %git checkout-index -a -f -q --prefix="$ROOM/"',
    { GIT_INDEX_FILE: index, ROOM: root },
  );
  if (answer.exitCode !== 0) return lackOf(answer);
  for (const [file, text] of plan.texts) putText(path.join(root, file), text);
  for (const file of plan.added) ignoringErrno(() => lutimesSync(path.join(root, file), LONG_AGO, LONG_AGO));
  for (const [folder, only] of plan.dependencies)
    linkFolder(path.join(keep.root, folder), path.join(root, folder), { root: keep.root, room: root, only });
  const copied = yield* copyKept(keep, plan.kept, root);
  if (copied !== null) return copied;
  const home = homeOf(keep, plan, dir);
  return isLack(home) ? home : { kind: 'room', dir, root, environment: { ...roomEnvironment(dir), ...home } };
}

/** Programs in the room share no caches with those of the agent, which may have tampered with them. */
function roomEnvironment(dir: string): Readonly<Record<string, string>> {
  const tmp = path.join(dir, 'tmp');
  return { TMPDIR: tmp, TMP: tmp, TEMP: tmp, PYTHONPYCACHEPREFIX: path.join(dir, 'pycache') };
}

function homeOf(keep: KeptProject, { home }: RoomPlan, dir: string): { readonly HOME?: string } | Lack {
  if (home.changed.length === 0) return {};
  const as = path.join(dir, 'home');
  const kept = path.join(keep.dir, 'home');
  const changed = makeHome(as, home, kept);
  if (changed !== undefined)
    return { kind: 'lack', why: 'baseline-changed', detail: path.join(path.basename(keep.dir), 'home', changed) };
  return { HOME: as };
}

function putText(file: string, text: string | undefined): void {
  rmSync(file, { force: true });
  if (text === undefined) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function* copyKept(keep: KeptProject, kept: readonly string[], root: string): Steps<Lack | null> {
  for (const file of kept) {
    const to = path.join(root, file);
    mkdirSync(path.dirname(to), { recursive: true });
    const answer = yield askGit(keep, 'cp -R -p -- "$FROM" "$TO"', { FROM: path.join(keep.dir, 'kept', file), TO: to });
    if (answer.exitCode !== 0) return lackOf(answer);
  }
  return null;
}

/** A room that cannot be removed now is removed with the rooms of dead processes. */
export function removeRoom(dir: string): void {
  if (ignoringErrno(() => rmSync(dir, { recursive: true, force: true }) ?? true) === true) return;
  ignoringErrno(() => openFolders(dir));
  ignoringErrno(() => rmSync(dir, { recursive: true, force: true }));
}

/** Tests create folders without write permission, whose content could not be removed. */
function openFolders(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(path.join(dir, entry.name));
}

/** Rooms that a killed process left behind. */
export function removeDeadRooms(rooms: string): void {
  for (const dir of deadRooms(rooms)) removeRoom(dir);
}

export function deadRooms(rooms: string): readonly string[] {
  return (ignoringErrno(() => readdirSync(rooms)) ?? []).flatMap((name) => {
    const pid = Number.parseInt(name, 10);
    return pid === process.pid || isAlive(pid) ? [] : [path.join(rooms, name)];
  });
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
