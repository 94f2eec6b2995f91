import { readFileSync } from 'node:fs';
import path from 'node:path';
import { athena } from '../../../src/dialects/athena/dialect.ts';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { setFields } from '../../../src/dialects/front-matter.ts';
import type { DialectSample } from '../dialect-contract.ts';

const FOLDER = path.join(import.meta.dirname, '../../fixtures/dialects/athena');

function sample(name: string, marker = 'E2E_COMPLETE'): DialectSample {
  return {
    note: name,
    file: '.athena/sessions/s-1/loop-tracker.md',
    text: readFileSync(path.join(FOLDER, name), 'utf8'),
    // The document reads the tracker, not the message.
    claimMessage: 'All done.',
    claimIn: (text) => `${text}\nStatus: ${marker}.\n`,
    raise: (text, max) => setFields(text, { max_iterations: max }),
    deactivate: (text) => setFields(text, { active: false }),
    another: (text) =>
      text.includes('started_at')
        ? setFields(text, { started_at: '2027-05-01T10:00:00Z' })
        : text.replace(/^#+ .*$/mu, '# Another goal'),
    keys: ['iteration', 'active'],
  };
}

export const dialect: Dialect = athena;

export const samples: readonly DialectSample[] = [
  sample('tracker.md'),
  sample('crlf.md'),
  sample('bom.md'),
  sample('hand-written.md', "It's done: E2E_COMPLETE"),
  sample('running-default-template.md'),
  sample('ended.md'),
  sample('broken-no-front-matter.md'),
  sample('broken-yaml.md'),
];
