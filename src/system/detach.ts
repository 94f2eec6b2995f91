import { spawn } from 'node:child_process';

/**
 * A program that outlives this one: a session of its own, so that whoever ends us and all we started does not end it, and no pipe of ours
 * that someone waits for. What keeps it from starting is found out by its silence.
 */
export function startDetached(file: string, args: readonly string[], environment: NodeJS.ProcessEnv): void {
  const child = spawn(file, args, {
    cwd: process.platform === 'win32' ? undefined : '/',
    detached: true,
    env: environment,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
}
