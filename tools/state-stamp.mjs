// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * What wrote a snapshot: the version, and a hash of the sources that define the state and its fold, so that two builds of one version
 * differ too. A snapshot with another stamp is rebuilt from its journal.
 * @param {string} [root] of the repository
 */
export function stateStamp(root = path.join(import.meta.dirname, '..')) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const core = path.join(root, 'src/core');
  const hash = createHash('sha256');
  for (const name of readdirSync(core, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      hash.update(`${name}\0`).update(readFileSync(path.join(core, name)));
  }
  return `${version}-${hash.digest('hex').slice(0, 16)}`;
}
