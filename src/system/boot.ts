import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { ignoringErrno } from './errno.ts';
import { currentPlatform, type Platform } from './paths.ts';
import { runTool, type RunTool } from './run-tool.ts';

export type BootProbe = {
  readonly os: Platform['os'];
  readonly readText: (path: string) => string | undefined;
  readonly run: RunTool;
  readonly wallMs: number;
  readonly uptimeMs: number;
};

const APPROXIMATE = 'about-';
/** Wide, because the wall clock is corrected while a machine runs; two boots are never this close together. */
const APPROXIMATE_STEP_MS = 2 * 60 * 1000;

let cached: string | undefined;

/**
 * Identifies the time between two starts of this machine: pids and monotonic readings can be compared only within one. Read once
 * per process.
 */
export function currentBoot(): string {
  cached ??= bootOf({
    os: currentPlatform().os,
    readText: (file) => ignoringErrno(() => readFileSync(file, 'utf8')),
    run: runTool,
    wallMs: Date.now(),
    // Read only if the system has no name for its boot.
    get uptimeMs() {
      return uptime() * 1000;
    },
  });
  return cached;
}

export function bootOf(probe: BootProbe): string {
  const exact =
    probe.os === 'linux'
      ? probe.readText('/proc/sys/kernel/random/boot_id')
      : probe.os === 'darwin'
        ? probe.run('sysctl', ['-n', 'kern.bootsessionuuid'])
        : undefined;
  const id = exact?.trim().toLowerCase();
  if (id !== undefined && /^[0-9a-f-]{8,64}$/u.test(id)) return id;
  return `${APPROXIMATE}${Math.round((probe.wallMs - probe.uptimeMs) / APPROXIMATE_STEP_MS)}`;
}

/** Equal, or both approximate and adjacent: a correction of one second may round the other way. */
export function isSameBoot(a: string, b: string): boolean {
  if (a === b) return true;
  if (!a.startsWith(APPROXIMATE) || !b.startsWith(APPROXIMATE)) return false;
  const distance = Number(a.slice(APPROXIMATE.length)) - Number(b.slice(APPROXIMATE.length));
  return Math.abs(distance) <= 1;
}
