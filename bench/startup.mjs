// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFileStore } from '../dist/index.js';
import { aJournal } from './core.mjs';
import { interleaved, print, timed } from './measure.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** How long a user waits before anything happens, and how that grows with the number of loops. */
export async function benchStartup() {
  const homes = [
    { name: '10 loops, all open', home: aHome(10, 10) },
    { name: '100 loops, all open', home: aHome(100, 100) },
    { name: '1,000 loops, 20 open', home: aHome(1000, 20) },
    { name: '1,000 loops, all open', home: aHome(1000, 1000) },
  ];
  try {
    const node = (/** @type {string[]} */ args, /** @type {string} */ home) => () =>
      timed(() =>
        execFileSync(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: home, TIRELESS_HOME: home } }),
      );
    const rows = await interleaved(
      [
        { name: 'node -e 0', run: node(['-e', '0'], '/') },
        { name: 'tireless --version', run: node([CLI, '--version'], '/') },
        ...homes.map(({ name, home }) => ({
          name: `tireless status, ${name}`,
          run: node([CLI, 'status'], home),
        })),
      ],
      { rounds: 21, warmUp: 2 },
    );
    print('Start-up', rows, '--version ≤ 2×, status with 1,000 loops ≤ 4×');
  } finally {
    for (const { home } of homes) rmSync(home, { recursive: true });
  }
}

/** Loops of twelve entries each; the first ones are open. @param {number} loops @param {number} open */
function aHome(loops, open) {
  const home = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  const store = openFileStore({ home });
  // A minute between entries, as with real agents.
  const entries = aJournal(12).entries.map((entry, index) => ({
    ...entry,
    at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  }));
  for (let index = 0; index < loops; index++) {
    const loop = `loop-${String(index).padStart(5, '0')}`;
    const first = { ...entries[0], event: { ...entries[0].event, loop } };
    let result = store.create(loop, first);
    for (const entry of entries.slice(1)) {
      if (result.kind === 'committed') result = store.commit(loop, result.loaded.head, entry);
    }
    if (result.kind === 'committed' && index >= open) {
      const event = { kind: 'cancel-requested' };
      store.commit(loop, result.loaded.head, {
        at: entries[11].at,
        event,
        evidence: { clock: entries[11].evidence.clock },
        decision: { kind: 'cancel' },
      });
    }
  }
  return home;
}
