import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist-test/make-folders.mjs', import.meta.url));
const COUNT = 300;
/** Long enough for every process to be up and waiting. */
const START_IN_MS = 700;

describe('processes that make the same folders at once', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tireless-folders-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('all succeed', async () => {
    const startMs = String(Date.now() + START_IN_MS);
    const ends = await Promise.all(Array.from({ length: 4 }, () => run([folder, String(COUNT), startMs])));

    expect(ends).toEqual(['', '', '', '']);
    expect(existsSync(path.join(folder, String(COUNT - 1), 'a/b/c'))).toBe(true);
  });
});

/** What the program printed on stderr. */
async function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.on('close', () => resolve(stderr)));
}
