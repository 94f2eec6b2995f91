import { parseJson } from '../../core/parse-json.ts';
import path from 'node:path';
import * as z from 'zod/mini';
import { Fault } from '../../core/fault.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import type { HostId } from '../../hosts/ids.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { namesIn } from '../../system/folder.ts';
import { pathPart } from '../../system/ids.ts';
import { removeFile } from '../../system/settings-files.ts';
import type { HookWords } from './dialect-lines.ts';
import type { DonePut } from './json-puts.ts';

/** What was written for one host, and what existed before. One file each below `$TIRELESS_HOME/installed`. */
export type InstallRecord = {
  readonly version: 1;
  readonly host: HostId;
  /** `armed`: hooks that come and go with the loops of one project. */
  readonly scope: 'user' | 'project' | 'armed';
  readonly project: string | null;
  /** Includes native loops, not only those in state files of other tools. */
  readonly native: boolean;
  readonly dialects: readonly string[];
  readonly onDemand: boolean;
  readonly trust: boolean;
  /** How long an iteration of a loop in a state file may take. */
  readonly iterationTimeoutMs?: number | undefined;
  /** Options for the hook of each dialect, by their names. */
  readonly hookWords?: HookWords | undefined;
  readonly files: readonly FileRecord[];
};

export type FileRecord = {
  readonly file: string;
  readonly kind: 'json' | 'own-file' | 'block' | 'exclude';
  /** The original bytes, in base64; `null` = there was no file. */
  readonly original: string | null;
  /** The hash of the bytes that we wrote. */
  readonly written: string;
  readonly puts: readonly DonePut[];
  /** The outermost folder that we created for it; `null` = it existed. */
  readonly folder: string | null;
  /** For `exclude`: the install that the lines belong to. */
  readonly whose?: string | undefined;
  /** A script below our home: it is replaced and removed whatever its content, and stays while another install needs it. */
  readonly isGuard?: true | undefined;
};

const DonePutSchema = z.object({
  path: z.array(z.string()),
  value: z.unknown(),
  how: z.enum(['append', 'set']),
  depth: z.number(),
  before: z.nullable(z.string()),
});

const FileSchema = z.object({
  file: z.string(),
  kind: z.enum(['json', 'own-file', 'block', 'exclude']),
  original: z.nullable(z.string()),
  written: z.string(),
  puts: z.array(DonePutSchema),
  folder: z.nullable(z.string()),
  whose: z.optional(z.string()),
  isGuard: z.optional(z.literal(true)),
});

const RecordSchema = z.object({
  version: z.literal(1),
  host: z.enum(HOST_IDS),
  scope: z.enum(['user', 'project', 'armed']),
  project: z.nullable(z.string()),
  native: z.boolean(),
  dialects: z.array(z.string()),
  onDemand: z.boolean(),
  trust: z.boolean(),
  iterationTimeoutMs: z.optional(z.number()),
  hookWords: z.optional(z.record(z.string(), z.record(z.string(), z.string()))),
  files: z.array(FileSchema),
});

/** `project`: ignored in the scope of the user. */
export type RecordKey = {
  readonly host: HostId;
  readonly scope: InstallRecord['scope'];
  readonly project: string | null;
};

export function readRecord(home: string, key: RecordKey): InstallRecord | undefined {
  return readFile(recordFile(home, key));
}

/** The record is the authority: if a crash comes before the settings are written, it has the old bytes. */
export function writeRecord(home: string, record: InstallRecord): void {
  const file = recordFile(home, record);
  ensureDir(path.dirname(file));
  writeFileAtomic(file, `${JSON.stringify(record, undefined, 2)}\n`, { durable: true });
}

export function removeRecord(home: string, key: RecordKey): void {
  removeFile(recordFile(home, key));
}

export function allRecords(home: string): readonly InstallRecord[] {
  const folder = folderOf(home);
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readFile(path.join(folder, name)) ?? []);
}

/** Does another install need this script? `leaving`: those that are about to be removed. */
export function isSharedGuard({ file, isGuard }: FileRecord, home: string, leaving: readonly RecordKey[]): boolean {
  if (isGuard !== true) return false;
  const gone = new Set(leaving.map((key) => recordFile(home, key)));
  return allRecords(home).some(
    (record) => !gone.has(recordFile(home, record)) && record.files.some((each) => each.file === file),
  );
}

function readFile(file: string): InstallRecord | undefined {
  const text = readTextIfExists(file);
  if (text === undefined) return undefined;
  const parsed = RecordSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Fault(
    'SETTINGS_INVALID',
    `Cannot read ${file}, where tireless records what it installed. Another version may have written it; move it away, and the entries of tireless are found by their text.`,
  );
}

function recordFile(home: string, { host, scope, project }: RecordKey): string {
  const name = scope === 'user' || project === null ? `${host}-${scope}` : `${host}-${scope}-${pathPart(project)}`;
  return path.join(folderOf(home), `${name}.json`);
}

function folderOf(home: string): string {
  return path.join(home, 'installed');
}
