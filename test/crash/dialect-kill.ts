import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { withoutKeys } from '../support/dialect-probe.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import { sessionOf } from '../support/dialect-sample.ts';
import { aStop } from '../support/hook-payload.ts';
import type { Moment } from '../support/programs/dialect-gate.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const GATE = path.join(ROOT, 'dist-test/dialect-gate.mjs');
const CLI = path.join(ROOT, 'dist/cli.js');

/** How a stop reaches the loop: by the dialect's own programmatic interface, or by the hook that hosts call. */
type Way = 'its own interface' | 'the command line';

export type KillCase = {
  readonly dialect: Dialect;
  readonly sample: DialectSample;
  readonly way: Way;
  /** Its prompt is delivered separately from the decision: after a stop that died before, it is delivered, and the stop is not counted again. */
  readonly deliversApart?: true;
};

type Death = {
  readonly moment: Moment;
  readonly dies: number;
  readonly passing: number;
  /** Was this stop committed when the process died? Then it counts, although its file may not show it. */
  readonly counts: boolean;
};

/** The first stop also starts the loop (1) and begins it (2); the second is only counted. */
export const EVERYDAY_DEATHS: readonly Death[] = [
  { moment: 'before-append', dies: 2, passing: 1, counts: false },
  { moment: 'before-rename', dies: 2, passing: 1, counts: true },
];
export const ALL_DEATHS: readonly Death[] = [
  { moment: 'before-append', dies: 1, passing: 1, counts: false },
  { moment: 'before-sync', dies: 1, passing: 2, counts: false },
  { moment: 'before-rename', dies: 1, passing: 1, counts: true },
  ...EVERYDAY_DEATHS,
  { moment: 'after-rename', dies: 2, passing: 1, counts: true },
  { moment: 'before-sync', dies: 2, passing: 1, counts: true },
  // Before the commit the file is tried on disk (1); after it the file is written (2).
  { moment: 'before-temporary', dies: 2, passing: 1, counts: false },
  { moment: 'before-temporary', dies: 2, passing: 2, counts: true },
];

export function killContract(cases: readonly KillCase[], deaths: readonly Death[]): void {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'tireless-dialect-kill-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const all = cases.flatMap((each) => deaths.map((death) => ({ name: each.dialect.name, ...each, ...death })));
  it.for(all)(
    'in $name by $way $moment ($passing) of stop $dies is followed by one that counts each stop once',
    async ({ name, dialect, sample, way, deliversApart, moment, dies, passing, counts }, { expect }) => {
      const stage = set(path.join(root, `${name}-${way}-${moment}-${dies}-${passing}`.replaceAll(' ', '-')), sample);
      const { full, home } = stage;
      const stop = (which: number, gate?: Gate): Promise<Ended> => run({ stage, way, name, sample }, which, gate);
      for (let which = 1; which < dies; which++) expect(await stop(which)).toEqual(ANSWERED);
      const before = readFileSync(full, 'utf8');

      expect(await stop(dies, { moment, passing })).toEqual(KILLED);
      const atDeath = readFileSync(full, 'utf8');
      expect(atDeath === before).toBe(moment !== 'after-rename');
      expect(await stop(dies + 1)).toEqual(ANSWERED);

      const store = openFileStore({ home });
      const [loaded, ...others] = store.list({ ended: 'both' });
      expect(others).toEqual([]);
      const entries = store.entries(loaded?.state.loop ?? '');
      const next = counts && deliversApart === true ? 0 : 1;
      const turns = dies - 1 + (counts ? 1 : 0) + next;
      expect(entries.filter((entry) => entry.event.kind === 'turn-ended')).toHaveLength(turns);
      expect(entries.map((entry) => entry.revision)).toEqual(entries.map((_, index) => index + 1));
      expect(replay(entries).differences).toEqual([]);
      store.close();
      const startedWith = dialect.read(sample.text);
      const counted = (startedWith.kind === 'loop' ? startedWith.counted : NaN) + turns;
      expect(loaded?.state).toMatchObject({ status: 'running', counted });
      const text = readFileSync(full, 'utf8');
      expect(dialect.read(text)).toMatchObject({ kind: 'loop', active: true, counted });
      expect(withoutKeys(text, sample.keys)).toBe(withoutKeys(sample.text, sample.keys));
    },
  );
}

type Stage = { readonly home: string; readonly project: string; readonly full: string };

export function set(folder: string, sample: Pick<DialectSample, 'file' | 'text'>): Stage {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
  const full = path.join(project, sample.file);
  mkdirSync(home, { recursive: true });
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, sample.text);
  return { home, project, full };
}

type Gate = Pick<Death, 'moment' | 'passing'>;
type Ended = { readonly output: string; readonly signal: string | null };
type Scene = {
  readonly stage: Stage;
  readonly way: Way;
  readonly name: string;
  readonly sample: Pick<DialectSample, 'file' | 'session'>;
};

export const ANSWERED: Ended = { output: 'ack', signal: null };
export const KILLED: Ended = { output: '', signal: 'SIGKILL' };

/** Killed from outside as soon as it reports that it is at the gate. */
export async function run({ stage, way, name, sample }: Scene, which: number, gate?: Gate): Promise<Ended> {
  const { home, project, full } = stage;
  const own = [path.join(ROOT, 'dist-test/dialect-stop.mjs'), home, project, name, sample.file, sessionOf(sample)];
  const args =
    way === 'its own interface'
      ? [...own, String(which)]
      : [CLI, 'hook', 'claude-code', '--dialect', name, '--reply', 'json'];
  const child = spawn(process.execPath, [...(gate === undefined ? [] : ['--import', GATE]), ...args], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    env: {
      ...cleanEnvironment(home),
      TIRELESS_HOME: home,
      ...(gate === undefined ? {} : { DIALECT_GATE: JSON.stringify({ ...gate, file: full }) }),
    },
  });
  child.stdin?.on('error', () => child.stdin?.destroy());
  child.stdin?.end(aStop(project, `not yet (${which})`, { session_id: sessionOf(sample) }));
  child.stdio[3]?.once('data', () => child.kill('SIGKILL'));
  const closed = new Promise<string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_, by) => resolve(by));
  });
  const [output, signal] = await Promise.all([child.stdout === null ? '' : textOf(child.stdout), closed]);
  const isBlock = output === 'ack\n' || output.startsWith('{"decision":"block"');
  return { output: isBlock ? 'ack' : output, signal };
}
