import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkOf, matchesName } from '../../src/evidence/glob.ts';
import { DIALECT_NAMES, dialectOfPath } from '../../src/dialects/names.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { loadDialect } from '../../src/entries/dialects.ts';
import { allDialects } from '../support/all-dialects.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'src/dialects');

describe('the registry of dialects', () => {
  it('has a folder for each name, and a name for each folder', () => {
    const entries = readdirSync(FOLDER, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.toSorted()).toEqual(DIALECT_NAMES.toSorted());
  });

  it('has recorded files for each name, so that the contract covers it', async () => {
    const covered = (await allDialects()).map(({ dialect }) => dialect.name);
    expect(covered.toSorted()).toEqual(DIALECT_NAMES.toSorted());
  });

  describe.each(DIALECT_NAMES)('%s', (name) => {
    const descriptor = DIALECTS[name];

    it('has the same files as its siblings, and tests', () => {
      const files = readdirSync(path.join(FOLDER, name));
      for (const part of ['descriptor.ts', 'dialect.ts', 'read.ts', 'write.ts', 'words.ts', `${name}.test.ts`])
        expect(files).toContain(part);
    });

    it('has a page', () => {
      expect(existsSync(path.join(ROOT, 'docs', descriptor.page))).toBe(true);
    });

    it('loads the code that its descriptor describes', async () => {
      const dialect = await loadDialect(name);
      expect(dialect).toMatchObject({ name, replyForm: descriptor.replyForm });
      expect(dialect.withSession !== undefined).toBe(descriptor.namesSession);
    });

    it.each([null, 'session-1'])('finds the file it would write for the session %s', async (session) => {
      const file = descriptor.newFile('2611-abc', session);
      expect(dialectOfPath(file)).toBe(name);
      expect(descriptor.files.some((pattern) => isWoken(pattern, file))).toBe(true);
    });
  });

  it('reads the maximum of a file that names none from the descriptor', async () => {
    const { counting, maxIterationsDefault } = DIALECTS.supercode;
    const supercode = await loadDialect('supercode');
    expect(supercode.read('{"prompt":"p"}')).toMatchObject({
      iterationsMax: maxIterationsDefault - counting.start + 1,
    });
  });
});

/** As the line of shell in the settings matches it: `*` is any part of one name. */
function isWoken(pattern: string, file: string): boolean {
  const names = pattern.split('/');
  const parts = file.split('/');
  return names.length === parts.length && names.every((name, at) => matchesName(linkOf(name, null), parts[at] ?? ''));
}
