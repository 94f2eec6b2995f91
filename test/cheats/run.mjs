// @ts-check
/**
 * `npm run cheats [vitest arguments]`: runs every agent of the catalogue, prints the table and writes it to docs/internals/cheats.md. With
 * arguments, such as `-t snapshot`, it writes no table, because only some of the agents run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = path.join(ROOT, 'docs/internals/cheats.md');

const given = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'tireless-cheats-page-'));
const draft = path.join(folder, 'cheats.md');
const vitest = [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'long', 'test/cheats', ...given];
const page = given.length === 0 ? { TIRELESS_CHEATS_PAGE: draft } : {};
const { status } = spawnSync(process.execPath, vitest, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ...page },
});
if (given.length === 0) publish();
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;

/** Even after a failed run: the table shows what failed. */
function publish() {
  writeFileSync(PAGE, readFileSync(draft, 'utf8'));
  spawnSync(path.join(ROOT, 'node_modules/.bin/oxfmt'), [PAGE], { cwd: ROOT, stdio: 'inherit' });
  console.log(readFileSync(PAGE, 'utf8'));
}
