import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { archiveText } from './archive.ts';

it('keeps every text once, beside the journal of its loop, under a name that leads nowhere else', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-archive-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const first = archiveText(home, 'a', 'notes.md', 'one');
  archiveText(home, 'a', 'notes.md', 'one');
  archiveText(home, 'a', '../../../notes.md', 'two');
  expect(path.dirname(first)).toBe(path.join(home, 'loops', 'a', 'archive'));
  const texts = readdirSync(path.dirname(first)).map((name) =>
    readFileSync(path.join(path.dirname(first), name), 'utf8'),
  );
  expect(texts.toSorted()).toEqual(['one', 'two']);
});
