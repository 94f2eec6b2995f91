import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from 'vitest';
import { openFileStore } from '../../src/stores/file-store.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';
import { storeContract } from './store-contract.ts';

describe('file store', () => {
  storeContract(() => {
    const home = mkdtempSync(path.join(tmpdir(), 'tireless-store-'));
    const opened = [openFileStore({ home })];
    return {
      store: opened[0] ?? openFileStore({ home }),
      reopen: () => {
        const another = openFileStore({ home });
        opened.push(another);
        return another;
      },
      dispose: () => {
        for (const one of opened) one.close();
        rmSync(home, { recursive: true });
      },
    };
  });
});

describe('memory store', () => {
  storeContract(() => {
    const store = openMemoryStore();
    return { store, reopen: () => store, dispose: () => {} };
  });
});
