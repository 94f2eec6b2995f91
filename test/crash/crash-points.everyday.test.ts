import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { CrashPoint } from '../../src/stores/crash-point.ts';
import { openFileStore } from '../../src/stores/file-store.ts';

const PROGRAM = path.join(import.meta.dirname, '../../dist-test/crash-at.mjs');
const LIFE = [
  'loop-started',
  'baseline-taken',
  'turn-ended',
  'steering-given',
  'turn-ended',
  'pause-requested',
  'resume-requested',
  'turn-ended',
  'cancel-requested',
];

/** How often each point is passed in that life. */
const POINTS: Readonly<Record<CrashPoint, number>> = {
  'after-create-dir': 1,
  'before-blob': 2,
  'after-blob': 2,
  'before-append': 9,
  'after-partial-append': 9,
  'after-append': 9,
  'after-sync': 9,
  'before-snapshot': 3,
  'after-snapshot': 3,
};

describe('a process killed', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'tireless-crash-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('passes the points below as often as they say', async () => {
    const { lines } = await live(home, 'none', 1, 0);
    const passed = Object.fromEntries(
      Object.keys(POINTS).map((point) => [point, lines.filter((line) => line === `passed ${point}`).length]),
    );

    expect(passed).toEqual(POINTS);
    expectWhole(home);
  });

  const cases = Object.entries(POINTS).flatMap(([point, times]) =>
    [...new Set([1, Math.ceil(times / 2), times])].map((passing) => [point, passing] as const),
  );
  it.each(cases)('%s (time %i) is followed by one that continues from the last commit', async (point, passing) => {
    const first = await live(home, point, passing, 0);
    expect(first.signal).toBe('SIGKILL');

    const acked = first.lines.flatMap((line) => (line.startsWith('ack ') ? [Number(line.split(' ')[1])] : [])).length;
    const revision = openFileStore({ home }).load('a')?.head.revision ?? 0;
    // Each step is one revision: what was acknowledged is there, and at most the one step nobody heard of.
    expect(revision).toBeGreaterThanOrEqual(acked);
    expect(revision).toBeLessThanOrEqual(acked + 1);

    const second = await live(home, 'none', 1, acked);
    expect(second.signal).toBeNull();
    expectWhole(home);
  });
});

function expectWhole(home: string): void {
  const store = openFileStore({ home });
  const entries = store.entries('a');
  expect(entries.map((entry) => entry.event.kind)).toEqual(LIFE);
  expect(entries.map((entry) => entry.revision)).toEqual(LIFE.map((_, index) => index + 1));
  expect(replay(entries).differences).toEqual([]);
  expect(store.load('a')?.state).toMatchObject({ status: 'cancelled', counted: 3 });
  expect(store.list({ ended: true })).toEqual([store.load('a')]);
}

async function live(
  home: string,
  point: string,
  passing: number,
  from: number,
): Promise<{ readonly lines: readonly string[]; readonly signal: string | null }> {
  const child = spawn(process.execPath, [PROGRAM, home, point, String(passing), String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const signal = await new Promise<string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_, by) => resolve(by));
  });
  return { lines: output.split('\n'), signal };
}
