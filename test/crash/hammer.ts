import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aSessionSpec, begin } from '../support/drafts.ts';

const PROGRAM = path.join(import.meta.dirname, '../../dist-test/post-turns.mjs');
const EXIT_WAIT_MS = 60_000;
/** Fewer would show little, however short the time. */
const KILLED_MIN = 10;

export type Blows = {
  readonly home: string;
  readonly processes: number;
  readonly iterationsMax: number | 'unlimited';
  /** Kills one of them with -9 this often, and starts another in its place, for this long. Absent = they end by themselves. */
  readonly killing?: { readonly everyMs: number; readonly forMs: number };
};

export type Aftermath = {
  readonly acked: readonly { readonly mark: string; readonly decision: string; readonly iteration: number }[];
  readonly tried: readonly string[];
  readonly ends: readonly string[];
  /** Names of the processes that were killed: a mark is its process's name, a dot and a number. */
  readonly killed: ReadonlySet<string>;
};

/** Many processes post stops to one loop `a`, each as fast as it can. Their output is in files, which survive a kill. */
export async function hammer({ home, processes, iterationsMax, killing }: Blows): Promise<Aftermath> {
  begin(openFileStore({ home }), 'a', aSessionSpec({}, iterationsMax));
  const said = path.join(home, 'said');
  const stopFile = path.join(home, 'stop');
  mkdirSync(said);
  const alive = new Map<string, ChildProcess>();
  const killed = new Set<string>();
  let started = 0;
  const start = (): void => {
    const name = `p${(started += 1)}`;
    const output = openSync(path.join(said, name), 'w');
    const child = spawn(process.execPath, [PROGRAM, home, 'a', name, 'forever', stopFile], {
      stdio: ['ignore', output, 'inherit'],
    });
    closeSync(output);
    alive.set(name, child);
    child.once('exit', () => alive.delete(name));
  };
  try {
    for (let index = 0; index < processes; index += 1) start();
    const { everyMs, forMs } = killing ?? { everyMs: 0, forMs: 0 };
    const end = Date.now() + forMs;
    const latestKill = end + EXIT_WAIT_MS;
    const killedMin = killing === undefined ? 0 : KILLED_MIN;
    while (Date.now() < end || (killed.size < killedMin && Date.now() < latestKill)) {
      await wait(everyMs);
      // Only those at work: on a busy machine the others would die before they had begun, and nothing would be shown.
      const working = [...alive].filter(([each]) => statSync(path.join(said, each)).size > 0);
      const [name, child] = working[Math.floor(Math.random() * working.length)] ?? [];
      if (name === undefined || child?.kill('SIGKILL') !== true) continue;
      killed.add(name);
      start();
    }
    if (killing !== undefined) writeFileSync(stopFile, '');
    const latest = Date.now() + EXIT_WAIT_MS;
    while (alive.size > 0 && Date.now() < latest) await wait(20);
    if (alive.size > 0) throw new Error(`${alive.size} processes did not end`);
  } finally {
    for (const child of alive.values()) child.kill('SIGKILL');
  }
  return { ...whatTheySaid(said), killed };
}

function whatTheySaid(dir: string): Omit<Aftermath, 'killed'> {
  const lines = readdirSync(dir).flatMap((name) => readFileSync(path.join(dir, name), 'utf8').split('\n'));
  const words = lines.map((line) => line.split(' '));
  return {
    acked: words
      .filter(([kind]) => kind === 'ack')
      .map(([, mark = '', decision = '', iteration]) => ({ mark, decision, iteration: Number(iteration) })),
    tried: words.filter(([kind]) => kind === 'try').map(([, mark = '']) => mark),
    ends: words.filter(([kind]) => kind === 'end').map(([, reason = '']) => reason),
  };
}
