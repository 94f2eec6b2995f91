import { cpSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { begin } from '../../test/support/drafts.ts';
import { openFileStore } from './file-store.ts';
import { filesOf } from './loop-files.ts';

it('the health of a journal tells that it is that of another loop', () => {
  const home = aProject();
  const store = openFileStore({ home });
  begin(store, 'a');
  cpSync(filesOf(home, 'a').dir, filesOf(home, 'b').dir, { recursive: true });
  expect(store.health('a')).toEqual({ revision: 2, torn: 0, voided: 0, fault: null });
  expect(store.health('b').fault?.code).toBe('JOURNAL_BROKEN');
});
