import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { setFields } from '../../../src/dialects/front-matter.ts';
import { ralphLoop } from '../../../src/dialects/ralph-loop/dialect.ts';
import type { DialectSample } from '../dialect-contract.ts';

export const dialect: Dialect = ralphLoop;

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/dialects/ralph-loop');

export const samples: readonly DialectSample[] = [
  sample('plugin', 'what the plugin writes', 'DONE'),
  {
    ...sample('bound', 'bound to a session, a prompt with state-like lines', 'Task Complete: "all" green'),
    session: '3f2b8f0e-6a0b-4a52-9a35-5d1d6a3e7c11',
  },
  sample('crlf', 'line ends of Windows, a byte order mark, comments, odd quoting', 'It is done'),
];

export const unclaimed: readonly DialectSample[] = [sample('unlimited', 'no maximum and no promise', '')];

function sample(name: string, note: string, promise: string): DialectSample {
  return {
    note,
    file: '.claude/ralph-loop.local.md',
    text: readFileSync(path.join(FOLDER, `${name}.md`), 'utf8'),
    claimMessage: `Everything passes.\n\n<promise>${promise}</promise>\n`,
    raise: (text, max) => setFields(text, { max_iterations: max }),
    deactivate: (text) => setFields(text, { active: false }),
    another: (text) => setFields(text, { started_at: '2027-05-01T10:00:00Z' }),
    keys: ['iteration', 'session_id'],
  };
}
