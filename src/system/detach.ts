import { spawn } from 'node:child_process';

/**
 * A program that outlives this one: a session of its own, so that whoever ends us and all we started does not end it, and no pipe of ours
 * that someone waits for. `input`: what it reads on stdin, where no other process sees it. What keeps it from starting is found out by its silence.
 */
export function startDetached(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input?: string,
): void {
  const child = spawn(file, args, {
    cwd: process.platform === 'win32' ? undefined : '/',
    detached: true,
    env: environment,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  child.on('error', () => undefined);
  // It may die before it has read.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  child.unref();
}
