/** Someone replaces our journal while an entry is being written. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { aDraft, begin, commit, steering } from '../../test/support/drafts.ts';
import { codeOf } from '../../test/support/fault-of.ts';
import { openFileStore } from './file-store.ts';
import { filesOf } from './loop-files.ts';

describe('a journal of the same length in the place of ours', () => {
  it('is no place for an entry that follows ours', () => {
    const home = aProject();
    const { journal } = filesOf(home, 'a');
    const other = `${journal}.other`;
    const loaded = commit(openFileStore({ home }), begin(openFileStore({ home }), 'a'), steering('one'));
    writeFileSync(other, readFileSync(journal, 'utf8').replace('"one"', '"two"'));
    const store = openFileStore({
      home,
      // A long text is written after the journal was read and before it is opened.
      crashPoint: (name) => {
        if (name === 'before-blob') renameSync(other, journal);
      },
    });
    const draft = aDraft(loaded, steering('x'.repeat(9000)));
    expect(codeOf(() => store.commit('a', loaded.head, draft))).toBe('JOURNAL_BROKEN');
  });
});
