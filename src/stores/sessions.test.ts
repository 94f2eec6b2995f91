import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { pathPart } from '../system/ids.ts';
import { bindFirst, loopOfSession } from './sessions.ts';

describe('bindFirst', () => {
  const session = { host: 'dialect-x', id: '/project/state.md' };

  it('finds the winner again when its writer died before the binding followed', () => {
    const home = aProject();
    bindFirst(home, session, 'one', undefined);
    rmSync(path.join(home, 'sessions', pathPart(session.host), pathPart(session.id)));
    expect(loopOfSession(home, session)).toBeUndefined();
    expect(bindFirst(home, session, 'two', undefined)).toBe('one');
    expect(loopOfSession(home, session)).toBe('one');
  });
});
