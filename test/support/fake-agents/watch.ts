import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { LoopView } from '../../../src/views/loop-view.ts';
import type { User } from '../run-cli.ts';

const POLL_MS = 20;
const SAMPLE_MS = 40;

/** A hostile agent may keep a test waiting forever; this wait fails with what it waited for. */
export async function within(ms: number, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const start = Date.now(); !(await holds());) {
    if (Date.now() - start > ms) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export function idIn(text: string): string {
  return /loop (\d{6}-\d{4}-\w{6})/u.exec(text)?.[1] ?? '';
}

/** The only loop of this user. */
export async function onlyLoop(user: User): Promise<LoopView> {
  const { loops } = JSON.parse((await user.tireless(['list', '--json'])).stdout) as { loops: LoopView[] };
  const [loop] = loops;
  if (loop === undefined || loops.length > 1) throw new Error(`${loops.length} loops`);
  return loop;
}

/** Whatever happened: the chain is intact, and every decision is the same. */
export async function expectNothingLost(user: User, loop: string): Promise<void> {
  expect(await user.tireless(['replay', loop])).toMatchObject({ code: 0, stderr: '' });
}

/** The code of the fault that a command ended with. */
export function codeIn({ stderr }: { readonly stderr: string }): string | undefined {
  return /^tireless: ([A-Z_]+): /mu.exec(stderr)?.[1];
}

/** The peak memory of a process from now on, in megabytes above its first value. Only where /proc exists. */
export function watchMemory(pid: number | undefined): { readonly stop: () => number } {
  const first = residentMb(pid);
  let most = first;
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most - first;
    },
  };
}

function residentMb(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  try {
    return Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It exited between the two looks.
  }
}
