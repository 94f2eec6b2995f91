import { describe, expect, it } from 'vitest';
import { plainScriptOf } from './plain-script.ts';

const SCRIPTS = {
  test: 'node test/all.js',
  again: 'npm test',
  both: 'node a.js && node b.js',
  'test:py': 'python3 tests/run.py',
};

function scriptOf(command: string, at = ''): string | undefined {
  const files = new Set(['test/all.js', 'tests/run.py', 'app/test/all.js']);
  return plainScriptOf(command, {
    at,
    isFile: (file) => files.has(file),
    readText: (file) => (file === 'package.json' ? JSON.stringify({ scripts: SCRIPTS }) : undefined),
  });
}

describe('a check that is one plain script', () => {
  it.each([
    ['node test/all.js', 'test/all.js'],
    ['node ./test/all.js --quiet', 'test/all.js'],
    ['NODE_ENV=test timeout 60 node --enable-source-maps test/all.js', 'test/all.js'],
    ['python3 -u tests/run.py', 'tests/run.py'],
    ['npm test', 'test/all.js'],
    ['npm run -s test:py', 'tests/run.py'],
  ])('is found: %s', (command, file) => {
    expect(scriptOf(command)).toBe(file);
  });

  it.each([
    'node --test test/all.js',
    'node test/all.js || true',
    'node test/all.js | grep fine',
    'node test/all.js; true',
    'node test/all.js > out.txt',
    'npm run both',
    'npm run again',
    'npm run missing',
    'tsc --noEmit',
    'make test',
    'node missing.js',
    'node -e 1',
    '',
  ])('is none of these: %s', (command) => {
    expect(scriptOf(command)).toBeUndefined();
  });

  it('is looked for where the check runs', () => {
    expect(scriptOf('node test/all.js', 'app')).toBe('app/test/all.js');
  });
});
