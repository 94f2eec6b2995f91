import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { aStartDraft, commit } from '../../test/support/drafts.ts';
import { codeOf } from '../../test/support/fault-of.ts';
import { assert } from '../core/fault.ts';
import type { Loaded } from '../engine/ports.ts';
import { pathPart } from '../system/ids.ts';
import { openFileStore } from './file-store.ts';
import { loopOfSession } from './session-binding.ts';
import { bindFirst, bindSession, disarm } from './sessions.ts';

describe('bindFirst', () => {
  const session = { host: 'dialect-x', id: '/project/state.md' };

  it('finds the winner again when its writer died before the binding followed', () => {
    const home = aProject();
    const binder = { home, isTimed: () => false };
    bindFirst(binder, session, 'one', undefined);
    rmSync(path.join(home, 'sessions', pathPart(session.host), pathPart(session.id)));
    expect(loopOfSession(home, session)).toBeUndefined();
    expect(bindFirst(binder, session, 'two', undefined)).toBe('one');
    expect(loopOfSession(home, session)).toBe('one');
  });
});

describe('the marks of a session', () => {
  const session = { host: 'claude-code', id: 's1' };
  const binderIn = (home: string) => ({ home, isTimed: (loop: string) => loop.startsWith('timed') });
  const marksIn = (home: string): readonly string[] =>
    ['armed', 'timed'].filter((mark) => existsSync(path.join(home, mark, session.host, session.id)));

  it('are those that its loop needs, and go with it', () => {
    const home = aProject();
    bindSession(binderIn(home), session, 'plain');
    expect(marksIn(home)).toEqual(['armed']);
    bindSession(binderIn(home), session, 'timed-1');
    expect(marksIn(home)).toEqual(['armed', 'timed']);
    bindSession(binderIn(home), session, 'plain-2');
    expect(marksIn(home)).toEqual(['armed']);
    disarm(home, session, 'plain-2');
    expect(marksIn(home)).toEqual([]);
  });

  it('are there before the binding that needs them: whoever dies in between has lost no stop and no time', () => {
    const home = aProject();
    // A rename cannot replace a folder that is not empty.
    mkdirSync(path.join(home, 'sessions', session.host, session.id, 'x'), { recursive: true });
    expect(codeOf(() => bindSession(binderIn(home), session, 'timed-1'))).toBe('STORE_UNWRITABLE');
    expect(marksIn(home)).toEqual(['armed', 'timed']);
  });

  it('stay when a loop ends that had the session before', () => {
    const home = aProject();
    bindSession(binderIn(home), session, 'timed-1');
    bindSession(binderIn(home), session, 'timed-2');
    disarm(home, session, 'timed-1');
    expect(marksIn(home)).toEqual(['armed', 'timed']);
    expect(readdirSync(path.join(home, 'timed', session.host))).toEqual([session.id]);
  });

  it('go when the loop ends, and stay until somebody was shown an end that nobody saw', () => {
    const home = aProject();
    const store = openFileStore({ home });
    const startIn = (loop: string): Loaded => {
      const { event, ...draft } = aStartDraft(loop);
      store.create(loop, { ...draft, event: { ...event, session } as typeof event });
      bindSession(binderIn(home), session, loop);
      const loaded = store.load(loop);
      assert(loaded !== undefined, 'it was created');
      return loaded;
    };
    commit(store, startIn('seen'), { kind: 'cancel-requested' });
    expect(marksIn(home)).toEqual([]);
    const ended = commit(store, startIn('unseen'), { kind: 'cancel-requested' }, { unseen: true });
    expect(marksIn(home)).toEqual(['armed']);
    commit(store, ended, { kind: 'outcome-shown' });
    expect(marksIn(home)).toEqual([]);
    store.close();
  });
});
