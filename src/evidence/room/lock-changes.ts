/**
 * npm moves packages when one is added: another version takes the place of an old one. That does not count as a change to the judge if the
 * lock file explains it, and if neither the runner nor anything that tests import needs the package. In doubt it counts as a change.
 */
import { parseJson } from '../../core/parse-json.ts';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { readRegular } from '../read-regular.ts';

/** `packages`: what tests import by name. `isNew`: the folder did not exist at the start. */
export type LockTexts = {
  readonly isNew: boolean;
  readonly before: string | undefined;
  readonly now: string | undefined;
  readonly packages: readonly string[];
};

type Entry = {
  readonly version?: unknown;
  readonly resolved?: unknown;
  readonly integrity?: unknown;
  readonly bin?: unknown;
  readonly [kind: string]: unknown;
};
type Lock = ReadonlyMap<string, Entry>;

const FOLDER = 'node_modules';
const MANIFEST_BYTES_MAX = 1024 * 1024;
const NEEDS = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** Does the lock file explain a change of this file, given by its path in the dependency folder? */
export function explainByLock(folder: string, { before, now, packages, isNew }: LockTexts): Explain {
  const own = readLock(now);
  const old = readLock(before) ?? (isNew ? NOTHING : undefined);
  if (old === undefined || own === undefined) return () => false;
  const judges = new Set([...judgePackages(old, packages), ...judgePackages(own, packages)]);
  const installed = isNew ? NOTHING : old;
  const known = new Map<string, boolean>();
  return (file, change) => {
    const place = placeOf(file);
    if (place === undefined || judges.has(place)) return false;
    if (!own.has(place)) return change === 'deleted' && installed.has(place);
    const found = known.get(place) ?? isPinned(folder, place, installed, own);
    known.set(place, found);
    return found;
  };
}

export type Explain = (file: string, change: JudgeChange['change']) => boolean;

const NOTHING: Lock = new Map();

/** `node_modules/a/node_modules/b` for a file of that package. */
function placeOf(file: string): string | undefined {
  const parts = `${FOLDER}/${file}`.split('/');
  const at = parts.lastIndexOf(FOLDER);
  const length = parts[at + 1]?.startsWith('@') === true ? 3 : 2;
  return parts.length > at + length ? parts.slice(0, at + length).join('/') : undefined;
}

/** The lock file pins another package than before, by its hash, and that package is installed. */
function isPinned(folder: string, place: string, old: Lock, own: Lock): boolean {
  const [before, now] = [old.get(place), own.get(place)];
  if (typeof now?.integrity !== 'string' || before?.integrity === now.integrity) return false;
  // npm can be configured to leave out the address: then the package is from the registry.
  if (now.resolved !== undefined && !(typeof now.resolved === 'string' && now.resolved.startsWith('https://')))
    return false;
  return typeof now.version === 'string' && versionIn(folder, place) === now.version;
}

function versionIn(folder: string, place: string): unknown {
  const read = readRegular(path.join(path.dirname(folder), place, 'package.json'), MANIFEST_BYTES_MAX);
  return read.kind === 'bytes' ? parse(read.bytes.toString('utf8'))?.['version'] : undefined;
}

/** Development dependencies, packages with programs, what tests import, and everything that these need. */
function judgePackages(lock: Lock, packages: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [place, entry] of lock) {
    if (place.split('/').includes(FOLDER)) continue;
    const named = namesIn(entry, ['dependencies', 'optionalDependencies']).filter((name) => {
      const target = resolve(lock, place, name);
      return target === undefined || packages.includes(name) || lock.get(target)?.bin !== undefined;
    });
    for (const name of [...named, ...packages, ...namesIn(entry, ['devDependencies', 'peerDependencies'])])
      addNeeded(found, lock, resolve(lock, place, name));
  }
  return found;
}

function addNeeded(found: Set<string>, lock: Lock, start: string | undefined): void {
  const open = start === undefined ? [] : [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    for (const name of namesIn(lock.get(place), NEEDS)) {
      const next = resolve(lock, place, name);
      if (next !== undefined) open.push(next);
    }
  }
}

/** As Node resolves it: in the package itself, and then in each folder above. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const base = folder === '.' ? '' : folder;
    const place = path.posix.join(base, FOLDER, name);
    if (path.posix.basename(base) !== FOLDER && lock.has(place)) return place;
    if (base === '') return undefined;
  }
}

function namesIn(entry: Entry | undefined, kinds: readonly string[]): readonly string[] {
  return kinds.flatMap((kind) => {
    const value = entry?.[kind];
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  });
}

/** Lock files of npm 7 and newer. */
function readLock(text: string | undefined): Lock | undefined {
  const packages = text === undefined ? undefined : parse(text)?.['packages'];
  if (typeof packages !== 'object' || packages === null) return undefined;
  return new Map(
    Object.entries(packages).flatMap(([place, entry]: [string, unknown]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Every field of it is unknown.
      typeof entry === 'object' && entry !== null ? [[place, entry as Entry]] : [],
    ),
  );
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Every field of it is unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
