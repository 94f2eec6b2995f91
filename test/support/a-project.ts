import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory with these files in it, removed when the test ends. */
export function aProject(files: Readonly<Record<string, string>> = {}): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-project-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  put(directory, files);
  return directory;
}

export function put(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The same, under git and with everything committed. */
export function aRepository(files: Readonly<Record<string, string>> = {}): string {
  const directory = aProject(files);
  git(directory, 'init', '-q');
  commitAll(directory);
  return directory;
}

export function commitAll(directory: string): void {
  git(directory, 'add', '-A');
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'all of it');
}

/** Not affected by the configuration of whoever runs the tests. */
export function git(directory: string, ...args: readonly string[]): string {
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const { status, stdout, stderr } = spawnSync('git', [...person, ...args], { cwd: directory, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** A process that has exited but was not reaped is not running. */
export function isRunning(pid: string): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
