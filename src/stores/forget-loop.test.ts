import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { begin } from '../../test/support/drafts.ts';
import { openFileStore } from './file-store.ts';
import { forgetLoop } from './forget-loop.ts';
import { filesOf } from './loop-files.ts';

it('a loop by which a hook was tried out leaves nothing behind, and others stay', () => {
  const home = aProject();
  const store = openFileStore({ home });
  const session = { host: 'claude-code', id: 's1' };
  for (const loop of ['trial', 'mine']) begin(store, loop);
  store.bindSession(session, 'trial');
  forgetLoop(home, 'trial', session);
  const other = openFileStore({ home });
  expect(other.loopOfSession(session)).toBeUndefined();
  expect(existsSync(filesOf(home, 'trial').dir)).toBe(false);
  expect(readdirSync(path.join(home, 'armed', 'claude-code'))).toEqual([]);
  expect(other.load('mine')?.state.loop).toBe('mine');
  forgetLoop(home, 'mine', null);
  expect(openFileStore({ home }).load('mine')).toBeUndefined();
});
