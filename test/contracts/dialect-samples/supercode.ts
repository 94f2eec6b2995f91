import { readFileSync } from 'node:fs';
import path from 'node:path';
import { supercode } from '../../../src/dialects/supercode/dialect.ts';
import { SUPERCODE_FILE } from '../../../src/dialects/supercode/descriptor.ts';
import type { DialectSample } from '../dialect-contract.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/dialects/supercode');

function sample(name: string, completion = 'DONE', session: string | undefined = 'ses_5f2c81'): DialectSample {
  return {
    note: name,
    file: SUPERCODE_FILE,
    text: readFileSync(path.join(FOLDER, name), 'utf8'),
    claimMessage: `All of it works now. <Promise> ${completion.toLowerCase()}\n</promise> Bye.`,
    raise: (text, max) => text.replace(/("maxIterations"\s*:\s*)\d+/u, `$1${max}`),
    deactivate: (text) => text.replace(/("active"\s*:\s*)true/u, '$1false'),
    another: (text) => text.replace(/("(?:startedAt|prompt)"\s*:\s*)"(?:[^"\\]|\\.)*"/gu, '$1"2027-05-01T10:00:00Z"'),
    keys: ['iteration', 'lastIterationAt'],
    ...(session === undefined ? {} : { session }),
  };
}

export const dialect = supercode;

export const samples: readonly DialectSample[] = [
  sample('started.json'),
  sample('tabs-and-own-keys.json'),
  sample('windows.json', 'REFACTOR_COMPLETE'),
  sample('custom.json', 'ALL_FIXED'),
  sample('bom.json'),
  sample('one-line.json'),
  sample('no-session.json', 'DONE', undefined),
  sample('inactive.json'),
  sample('no-active.json'),
  sample('comments.json'),
  sample('no-prompt.json'),
];
