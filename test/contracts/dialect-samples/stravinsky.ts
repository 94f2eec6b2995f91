import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { setFields } from '../../../src/dialects/front-matter.ts';
import { CONTINUATION_LOOP_FILE } from '../../../src/dialects/stravinsky/descriptor.ts';
import { parseState } from '../../../src/dialects/stravinsky/read.ts';
import { stravinsky } from '../../../src/dialects/stravinsky/dialect.ts';
import type { DialectSample } from '../dialect-contract.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/dialects/stravinsky');

export const dialect: Dialect = stravinsky;

export const samples: readonly DialectSample[] = readdirSync(FOLDER)
  .toSorted((a, b) => Number(b === 'odd-windows.md') - Number(a === 'odd-windows.md'))
  .map((name) => {
    const text = readFileSync(path.join(FOLDER, name), 'utf8');
    const promise = parseState(text)?.completion_promise.split('|').at(-1) ?? '';
    return {
      note: name,
      file: CONTINUATION_LOOP_FILE,
      text,
      claimMessage: `At last: ${promise.toUpperCase()}.`,
      raise: (now, max) => setFields(now, { max_iterations: max }),
      deactivate: (now) => setFields(now, { active: false }),
      another: (now) => now.replace(/(\n---\r?\n)\s*/u, (_, end: string) => `${end}Another goal\n`),
      keys: ['iteration_count', 'active'],
    };
  });
