import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { setValues } from '../../../src/dialects/json-file.ts';
import { ralphWiggum } from '../../../src/dialects/ralph-wiggum/dialect.ts';
import type { DialectSample } from '../dialect-contract.ts';

export const dialect: Dialect = ralphWiggum;

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/dialects/ralph-wiggum');

export const samples: readonly DialectSample[] = [
  sample('RALPH_20260119_abc123', 'the file of the document'),
  sample('RALPH_watch', 'one line, with a watched file', 'PAID'),
  sample('RALPH_pending', 'not started, no maximum, keys of others'),
  sample('RALPH_crlf', 'line ends of Windows, a byte order mark, tabs, few fields', 'OK'),
  sample('RALPH_completed', 'a completed loop'),
];

function sample(name: string, note: string, promise = 'TASK_COMPLETE'): DialectSample {
  return {
    note,
    file: `AI_Employee_Vault/Ralph_State/${name}.json`,
    text: readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'),
    claimMessage: `All invoices are processed. <promise>${promise}</promise>`,
    raise: (text, max) => setValues(text, [{ path: ['max_iterations'], value: max }]),
    deactivate: (text) => setValues(text, [{ path: ['status'], value: 'stopped' }]),
    another: (text) =>
      setValues(text, [
        { path: ['prompt'], value: 'Another goal' },
        ...(text.includes('"loop_id"') ? [{ path: ['loop_id'], value: 'RALPH_another' }] : []),
      ]),
    keys: ['current_iteration', 'status', 'iterations', 'errors', 'paused_for_approval'],
  };
}
