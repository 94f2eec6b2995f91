/**
 * Commits to loop `a` in a home until the disk refuses. Arguments: home, what to do (`fill`, `refill`, `read-only`).
 * `fill` ends with the fault. `refill` then frees space, continues and reports the state of the journal. `read-only` tries each operation.
 * The last line is JSON.
 */
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isFault } from '../../../src/core/fault.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { aStartDraft, begin, post } from '../drafts.ts';

const [home = '', mode = ''] = process.argv.slice(2);
const ballast = path.join(home, 'ballast');

if (mode === 'read-only') {
  const store = openFileStore({ home });
  say({
    revision: store.load('a')?.head.revision,
    listed: store.list({ ended: 'both' }).length,
    commit: faultOf(() => post(store, 'a', { kind: 'steering-given', text: 'x' })),
    create: faultOf(() => store.create('b', aStartDraft('b'))),
    bind: faultOf(() => store.bindSession({ host: 'h', id: 'i' }, 'a')),
  });
} else {
  if (mode === 'refill') writeFileSync(ballast, Buffer.alloc(100 * 1024));
  const store = openFileStore({ home });
  let acked = begin(store, 'a').head.revision;
  const step = (): void => {
    acked = post(store, 'a', { kind: 'steering-given', text: 'x'.repeat(2500) }).loaded?.head.revision ?? 0;
  };
  const fault = faultOf(() => {
    for (;;) step();
  });
  const ackedBefore = acked;
  if (mode === 'refill') {
    rmSync(ballast);
    step();
  }
  const { torn, revision } = openFileStore({ home }).health('a');
  say({ fault, ackedBefore, acked, torn, revision });
}

function faultOf(run: () => unknown): { readonly code: string; readonly message: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (isFault(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
