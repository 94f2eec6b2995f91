// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);

/**
 * What wrote a snapshot: the version, and a hash of the sources that define what state is and how it is folded, so that two builds of one
 * version differ too. A snapshot with another stamp is rebuilt from its journal.
 */
export function stateStamp() {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  const core = new URL('src/core/', ROOT);
  const hash = createHash('sha256');
  for (const name of readdirSync(core).toSorted()) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      hash.update(`${name}\0`).update(readFileSync(new URL(name, core)));
  }
  return `${version}-${hash.digest('hex').slice(0, 16)}`;
}
