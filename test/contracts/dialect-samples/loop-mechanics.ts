import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { loopMechanics } from '../../../src/dialects/loop-mechanics/dialect.ts';
import { setLoopState, readLoopState } from '../../../src/dialects/loop-mechanics/state.ts';
import type { DialectSample } from '../dialect-contract.ts';

export const dialect: Dialect = loopMechanics;

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/dialects/loop-mechanics');

export const samples: readonly DialectSample[] = [
  sample('documented', 'the file of the document'),
  sample('one-line', 'one line, no steps, no list of criteria'),
  sample('crlf', 'line ends of Windows'),
  sample('byte-order-mark', 'a byte order mark and tabs'),
  sample('every-field', 'every field, four spaces, keys we do not know'),
  sample('completed', 'a completed loop'),
  sample('status-missing', 'no criteriaStatus'),
  sample('status-malformed', 'a malformed criteriaStatus'),
];

function sample(name: string, note: string): DialectSample {
  return {
    note,
    file: '.loop/state.json',
    text: readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'),
    claimMessage: 'All criteria hold now.\n\n<loop-complete>',
    claimIn: allMet,
    raise: (text, max) => setLoopState(text, { maxIterations: max }),
    deactivate: (text) => setLoopState(text, { status: 'stopped' }),
    another: (text) => text.replace(/("spec"\s*:\s*)"(?:[^"\\]|\\.)*"/u, '$1"Another goal"'),
    keys: ['iteration', 'status', 'lastCheckpoint', 'cost'],
  };
}

function allMet(text: string): string {
  const found = readLoopState(text);
  if (found.kind === 'invalid') return text;
  const { criteria, criteriaStatus } = found.state;
  const names = [...criteria, ...Object.keys(criteriaStatus)];
  return setLoopState(text, { criteriaStatus: Object.fromEntries(names.map((name) => [name, true])) });
}
