import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { codeOf } from '../../test/support/fault-of.ts';
import { pathPart } from '../system/ids.ts';
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
});
