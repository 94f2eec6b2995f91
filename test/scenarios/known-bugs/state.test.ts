import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { filesOf } from '../../../src/stores/loop-files.ts';
import type { LoopView } from '../../../src/views/loop-view.ts';
import { aProject } from '../../support/a-project.ts';
import { begin, commit, steering } from '../../support/drafts.ts';
import { idIn } from '../../support/fake-agents/watch.ts';
import { codeOf } from '../../support/fault-of.ts';
import { aUser } from '../../support/run-cli.ts';

const BLOCKED = ['--agent-command', `cat >/dev/null; [ -e go ] && touch done || echo '<blocked>no key</blocked>'`];

const NEW = ['--agent-command', 'cat > prompt; touch new', '--check-exists', 'new', '--max-iterations', '2'];

describe('a loop', () => {
  it('does not take over the command of a new one in the same project', async () => {
    const user = aUser();
    const old = await user.tireless([
      'run',
      'the old goal',
      ...BLOCKED,
      '--check-exists',
      'done',
      '--max-iterations',
      '9',
    ]);
    expect(old.code).toBe(4);
    const { code, stdout } = await user.tireless(['run', 'the new goal', '--json', ...NEW]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ goal: 'the new goal', iteration: 1, limits: { iterationsMax: 2 } });
    expect(readFileSync(path.join(user.project, 'prompt'), 'utf8')).not.toContain('the old goal');
    const { loops } = JSON.parse((await user.tireless(['status', '--json'])).stdout) as { loops: LoopView[] };
    expect(loops).toMatchObject([{ goal: 'the old goal', status: 'paused', limits: { iterationsMax: 9 } }]);
  });

  it('is found from any directory, and continues in its own', async () => {
    const user = aUser();
    const { stdout } = await user.tireless(['run', 'goal', ...BLOCKED, '--check-exists', 'done']);
    const elsewhere = aProject({ go: '' });
    expect((await user.tireless(['status'], { cwd: elsewhere })).stdout).toContain(idIn(stdout));
    await user.tireless(['steer', idIn(stdout), 'the key is there'], { cwd: elsewhere });
    await user.tireless(['run', 'x', '--agent-command', 'touch go', '--check-exists', 'go']);
    const resumed = await user.tireless(['resume', idIn(stdout)], { cwd: elsewhere });
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(path.join(user.project, 'done'))).toBe(true);
    expect(existsSync(path.join(elsewhere, 'done'))).toBe(false);
  });

  it.each([
    ['removed', (journal: string) => rmSync(journal)],
    ['emptied', (journal: string) => truncateSync(journal, 0)],
  ])('is missed at every look, not only at the first, when its journal was %s', (_, damage) => {
    const home = aProject();
    const store = openFileStore({ home });
    commit(store, begin(store, 'a'), steering('one'));
    damage(filesOf(home, 'a').journal);
    const codes = [1, 2, 3].map(() => codeOf(() => store.load('a')));
    expect(codes).toEqual(['JOURNAL_TRUNCATED', 'JOURNAL_TRUNCATED', 'JOURNAL_TRUNCATED']);
    store.close();
  });
});
