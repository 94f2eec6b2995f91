import { spawnSync } from 'node:child_process';

type Brief = {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly bytesMax: number;
  readonly timeoutMs: number;
};

/**
 * Runs a command of our own that leaves nothing running and prints little, without the supervision that other commands get.
 * `undefined` = it did not start, overran its time, was killed, or printed more than allowed.
 */
export function runBriefly(brief: Brief): { readonly exitCode: number; readonly stdout: Buffer } | undefined {
  if (process.platform === 'win32') return undefined;
  const { status, stdout, error } = spawnSync('/bin/sh', ['-c', brief.command], {
    cwd: brief.cwd,
    env: { ...process.env, ...brief.environment },
    maxBuffer: brief.bytesMax,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: brief.timeoutMs,
  });
  return error !== undefined || status === null ? undefined : { exitCode: status, stdout };
}
