import { spawn } from 'node:child_process';

/**
 * Starts a program that outlives this one: in its own session, so that ending us and everything we started does not end it, and without a pipe to us
 * that someone waits for. `input`: passed on stdin, where no other process sees it. A failed start is not reported; the program is just silent.
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
  // It may die before it has read its input.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  child.unref();
}
