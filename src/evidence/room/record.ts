import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';
import { writeFileAtomic } from '../../system/files.ts';
import { sha256 } from '../../system/ids.ts';
import type { Helpers } from '../judge/test-helpers.ts';
import type { FolderRecord } from './dependency-folders.ts';
import type { KeptEnvironment } from './judge-environment.ts';
import type { HomeRecord } from './judge-home.ts';
import type { GitRecord } from './own-git.ts';
import { returnToGit } from './own-git.ts';
import type { Lack } from './read-work.ts';
import type { Seal } from './seal.ts';
import { brokenIn } from './seal.ts';
import type { Surroundings } from './surroundings.ts';

/** The state of the project when the baseline was taken. Its hash is in the journal: a record that was changed since is not used. */
export type Record = {
  readonly version: 1;
  /** All files, as `listText` writes them. */
  readonly files: string;
  /** Texts of the baseline that show what the checks call. */
  readonly texts: Readonly<{ [path: string]: string }>;
  /** By path from the root. */
  readonly dependencies: Readonly<{ [folder: string]: FolderRecord }>;
  readonly home: HomeRecord;
  readonly environment: KeptEnvironment;
  /** Settings around the room. An older record has none, and then nothing is compared. */
  readonly surroundings?: Surroundings;
  /** Modules that only tests use; an older record has none. */
  readonly helpers?: Helpers;
  /** Ignored files that the user wants in the room, as found at the baseline. */
  readonly kept: readonly string[];
  /** Links to folders with judge's files that are nowhere else in the project: their files are stored, and replace the links. */
  readonly links: readonly string[];
  /** A judge's file that points back into the project, wherever the file is. */
  readonly leadsOut?: string;
  /** An older record has none. */
  readonly git?: GitRecord;
  /** The rest of the baseline; an older record has none. */
  readonly seal?: Seal;
};

const NAME = 'record.json';

/** Returns the hash to compare with later. */
export function writeRecord(dir: string, record: Record): string {
  const text = JSON.stringify(record);
  writeFileAtomic(path.join(dir, NAME), text, { durable: false });
  return sha256(text);
}

/** Links to follow when the work is read again: changing them changes the work. */
export function readLinks(dir: string): readonly string[] {
  const text = ignoringErrno(() => readFileSync(path.join(dir, NAME), 'utf8'));
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Checked below; anything but a list has no links.
    const links: unknown = (JSON.parse(text ?? '{}') as Partial<Record>).links;
    return Array.isArray(links) ? links.filter((link) => typeof link === 'string') : [];
  } catch {
    return [];
  }
}

/** `undefined` = it is missing, or does not have this hash. */
export function readRecord(dir: string, hash: string): Record | undefined {
  const text = ignoringErrno(() => readFileSync(path.join(dir, NAME), 'utf8'));
  if (text === undefined || sha256(text) !== hash) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- By its hash it is what `writeRecord` wrote.
  return JSON.parse(text) as Record;
}

/** The record with this hash, if the baseline is still what it describes. */
export function openRecord(dir: string, hash: string): Record | Lack {
  const record = readRecord(dir, hash);
  if (record === undefined)
    return existsSync(path.join(dir, NAME))
      ? changedIn(dir, NAME)
      : { kind: 'lack', why: 'baseline-lost', detail: dir };
  const broken = record.seal === undefined ? undefined : brokenIn(dir, record.seal);
  if (broken !== undefined) return changedIn(dir, broken);
  const otherGit = record.git === undefined ? undefined : returnToGit(record.git);
  return otherGit === undefined ? record : { kind: 'lack', why: 'program-changed', detail: otherGit };
}

function changedIn(dir: string, file: string): Lack {
  // The name of an object or pack means nothing to people.
  const named = file.startsWith('git/objects/') ? 'git/objects' : file;
  return { kind: 'lack', why: 'baseline-changed', detail: path.join(path.basename(dir), named) };
}
