// @ts-check
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore } from '../dist/index.js';
import { aJournal } from './core.mjs';
import { interleaved, print, timed } from './measure.mjs';

/** One commit of the file store against a bare append and fdatasync of the same bytes, in the same run. */
export async function benchCommit() {
  const home = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  try {
    const store = openFileStore({ home });
    const { entries } = aJournal(4000);
    const created = store.create('bench', { ...entries[0], event: { ...entries[0].event, loop: 'bench' } });
    if (created.kind !== 'committed') throw new Error('the loop could not be created');
    let head = created.loaded.head;
    let next = 1;
    const journal = join(home, 'loops', 'bench', 'journal.jsonl');
    let written = statSync(journal).size;
    let bytes = Buffer.alloc(0);
    const bare = openSync(join(home, 'bare'), 'a');
    const rows = await interleaved(
      [
        {
          name: 'bare append + fdatasync of the same bytes',
          run: () => timed(() => (writeSync(bare, bytes), fdatasyncSync(bare))),
        },
        {
          name: 'commit',
          run: async () => {
            const cost = await timed(() => {
              const result = store.commit('bench', head, entries[next++]);
              if (result.kind !== 'committed') throw new Error('conflict');
              head = result.loaded.head;
            });
            const size = statSync(journal).size;
            bytes = Buffer.alloc(size - written, 0x20);
            written = size;
            return cost;
          },
        },
      ],
      { rounds: 3000, warmUp: 200 },
    );
    closeSync(bare);
    print('Commit', rows, '≤ 1.5×');
  } finally {
    rmSync(home, { recursive: true });
  }
}
