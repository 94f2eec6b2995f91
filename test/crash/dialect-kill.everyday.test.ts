import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { CONTINUATION_LOOP_FILE, stravinsky } from '../../src/dialects/stravinsky.ts';
import { supercode, SUPERCODE_FILE } from '../../src/dialects/supercode.ts';
import type { CrashPoint } from '../../src/stores/crash-point.ts';
import { openFileStore } from '../../src/stores/file-store.ts';

const PROGRAM = path.join(import.meta.dirname, '../../dist-test/dialect-stop.mjs');
const FIXTURES = path.join(import.meta.dirname, '../fixtures/dialects');

type Case = {
  readonly dialect: Dialect;
  readonly file: string;
  readonly sample: string;
  /** The text without what the document lets a loop write. */
  readonly rest: (text: string) => string;
};

const DIALECTS: readonly Case[] = [
  {
    dialect: stravinsky,
    file: CONTINUATION_LOOP_FILE,
    sample: 'stravinsky/feature.md',
    rest: (text) => text.replace(/^iteration_count: \d+$/mu, ''),
  },
  {
    dialect: supercode,
    file: SUPERCODE_FILE,
    sample: 'supercode/tabs-and-own-keys.json',
    rest: (text) => text.replace(/("iteration"\s*:\s*)\d+/u, '$1').replace(/,?\s*"lastIterationAt"\s*:\s*"[^"]*"/u, ''),
  },
];

type Death = {
  readonly point: CrashPoint;
  readonly dies: number;
  readonly passing: number;
  /** Was this stop committed when the process died? Then it counts, though its file was not renamed. */
  readonly counts: boolean;
};

/** The first stop also starts the loop (1) and begins it (2); the second is only counted. */
const DEATHS: readonly Death[] = [
  { point: 'after-append', dies: 1, passing: 2, counts: false },
  { point: 'before-append', dies: 2, passing: 1, counts: false },
  { point: 'after-append', dies: 2, passing: 1, counts: true },
  { point: 'after-sync', dies: 2, passing: 1, counts: true },
];

describe.concurrent('a hook killed in the middle of a stop', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'tireless-dialect-kill-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const cases = DIALECTS.flatMap((each) => DEATHS.map((death) => ({ name: each.dialect.name, ...each, ...death })));
  it.for(cases)(
    'in $name at $point (time $passing of stop $dies) is followed by one that counts each stop once',
    async ({ name, dialect, file, sample, rest, point, dies, passing, counts }, { expect }) => {
      const home = path.join(root, `${name}-${point}-${dies}-${passing}`, 'home');
      const project = path.join(home, '../project');
      const full = path.join(project, file);
      const original = readFileSync(path.join(FIXTURES, sample), 'utf8');
      mkdirSync(home, { recursive: true });
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, original);
      const stop = async (which: number, at = 'none'): Promise<Ended> =>
        ended([home, project, name, String(which), at, String(passing)]);
      for (let which = 1; which < dies; which++) expect(await stop(which)).toEqual(ACKNOWLEDGED);
      const before = readFileSync(full, 'utf8');

      expect(await stop(dies, point)).toEqual({ output: '', signal: 'SIGKILL' });
      expect(readFileSync(full, 'utf8')).toBe(before);
      expect(await stop(dies + 1)).toEqual(ACKNOWLEDGED);

      const store = openFileStore({ home });
      const [loaded, ...others] = store.list({ ended: false });
      expect(others).toEqual([]);
      const entries = store.entries(loaded?.state.loop ?? '');
      // Whoever was answered is counted, and so is the stop that died after its commit.
      const turns = dies + (counts ? 1 : 0);
      expect(entries.filter((entry) => entry.event.kind === 'turn-ended')).toHaveLength(turns);
      expect(entries.map((entry) => entry.revision)).toEqual(entries.map((_, index) => index + 1));
      expect(replay(entries).differences).toEqual([]);
      const text = readFileSync(full, 'utf8');
      const startedWith = dialect.read(original);
      const counted = (startedWith.kind === 'loop' ? startedWith.counted : NaN) + turns;
      expect(loaded?.state).toMatchObject({ status: 'running', counted });
      expect(dialect.read(text)).toMatchObject({ kind: 'loop', active: true, counted });
      expect(rest(text)).toBe(rest(original));
      store.close();
    },
  );
});

type Ended = { readonly output: string; readonly signal: string | null };

const ACKNOWLEDGED: Ended = { output: 'ack continue\n', signal: null };

async function ended(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const signal = await new Promise<string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_, by) => resolve(by));
  });
  return { output, signal };
}
