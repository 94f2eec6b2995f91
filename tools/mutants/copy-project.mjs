// @ts-check
/** A copy of the project for the planted bugs: a bug in code that writes or deletes files only affects the copy. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Tracked and new files, existing builds, and the dependencies as a link. @param {string} root */
export function copyProject(root) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-mutants-')));
  const copy = path.join(folder, 'project');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    const from = path.join(root, file);
    if (file !== '' && existsSync(from)) cpSync(from, path.join(copy, file), { verbatimSymlinks: true });
  }
  for (const built of ['dist', 'dist-test'])
    if (existsSync(path.join(root, built))) cpSync(path.join(root, built), path.join(copy, built), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'dir');
  for (const own of ['home', 'tmp']) mkdirSync(path.join(folder, own));
  const environment = { ...process.env, HOME: path.join(folder, 'home'), TMPDIR: path.join(folder, 'tmp') };
  return { folder, copy, environment };
}
