/**
 * The agent can write to the folder of the baseline. Nothing else writes there after the start, so a file of it that is new, missing or has
 * other bytes is tampering, whatever git would make of it: settings, filters, replacements, another object under the same id. Reads
 * everything once for each finish: 50,000 files of 1 KB take a tenth of a second, because they are in one pack.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';
import { readChunks } from '../read-regular.ts';

/** From the path of a file to the hash of its bytes. */
export type Seal = Readonly<Record<string, string>>;

/** What rooms are made of. Anything else in the folder is temporary, or has its hash elsewhere. */
const SEALED = ['git', 'index', 'kept'];

export function sealOf(dir: string): Seal {
  const seal: Record<string, string> = {};
  for (const name of SEALED) addTo(seal, dir, name);
  return seal;
}

/** A file that is not as it was sealed. */
export function brokenIn(dir: string, seal: Seal): string | undefined {
  const now = sealOf(dir);
  return [...Object.keys(seal), ...Object.keys(now)].find((file) => seal[file] !== now[file]);
}

function addTo(seal: Record<string, string>, dir: string, file: string): void {
  const full = path.join(dir, file);
  const link = ignoringErrno(() => readlinkSync(full));
  if (link !== undefined) {
    seal[file] = `link ${link}`;
    return;
  }
  const names = ignoringErrno(() => readdirSync(full));
  if (names !== undefined) for (const name of names) addTo(seal, dir, `${file}/${name}`);
  else {
    const hash = hashOf(full);
    if (hash !== undefined) seal[file] = hash;
  }
}

function hashOf(full: string): string | undefined {
  const hash = createHash('sha256');
  const reading = readChunks(full, (chunk) => {
    hash.update(chunk);
    return true;
  });
  if (reading === 'read') return hash.digest('hex');
  return reading.kind === 'missing' ? undefined : reading.reason;
}
