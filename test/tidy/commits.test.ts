import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The rule applies from the commit after this one; earlier subjects stay as they are. */
const LAST_FREE = '2a629ed69512';
const SUBJECT_CHARS_MAX = 72;
const SUBJECT = /^(?:feat|fix|docs|test|refactor|perf|chore)\([a-z0-9-]+\): \S/u;

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A shallow clone does not have the first commit: then all the commits that it has are checked. */
function range(): string {
  try {
    return `${git('rev-parse', '--verify', `${LAST_FREE}^{commit}`).trim()}..HEAD`;
  } catch {
    return 'HEAD';
  }
}

function faultsIn(subjects: readonly string[]): readonly string[] {
  return subjects.filter((subject) => subject.length > SUBJECT_CHARS_MAX || !SUBJECT.test(subject));
}

describe('commit subjects', () => {
  const subjects = git('log', '--no-merges', '--format=%s', range())
    .split('\n')
    .filter((subject) => subject !== '');

  it('are seen', () => {
    expect(subjects.length).toBeGreaterThan(0);
  });

  it('say type(layer): behaviour, in at most 72 characters', () => {
    expect(faultsIn(subjects)).toEqual([]);
  });

  it('would be found otherwise', () => {
    const long = `fix(core): ${'a'.repeat(62)}`;
    expect(faultsIn([long, 'fixed it', 'fix(core): a limit holds'])).toEqual([long, 'fixed it']);
  });
});
