import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoopView } from '../../src/views/loop-view.ts';
import { aProject } from '../support/a-project.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

async function idsOf(user: User): Promise<readonly string[]> {
  const { stdout } = await user.tireless(['list', '--json']);
  return (JSON.parse(stdout) as { loops: LoopView[] }).loops.map(({ id }) => id);
}

describe('tireless prune', () => {
  it('removes what has ended, and nothing that is open; a dry run removes nothing', async () => {
    const temporary = aProject();
    const user = aUser();
    const env = { TMPDIR: temporary };
    const agent = (command: string) => ['--agent-command', `cat >/dev/null; ${command}`];
    await user.tireless(['run', 'ended', ...agent('touch x'), '--check-exists', 'x']);
    await user.tireless(['run', 'waits', ...agent("echo '<blocked>why</blocked>'")]);
    const [ended = '', waits = ''] = await idsOf(user);
    // A removal that was killed, a room of a dead process, a demo of last year, and one of somebody who is at it.
    for (const folder of ['loops/killed/blobs', 'rooms/999999999-x'])
      mkdirSync(path.join(user.home, folder), { recursive: true });
    utimesSync(path.join(user.home, 'loops/killed'), LONG_AGO, LONG_AGO);
    for (const name of ['tireless-demo-old', 'tireless-demo-new', 'mine']) mkdirSync(path.join(temporary, name));
    for (const name of ['tireless-demo-old', 'mine']) utimesSync(path.join(temporary, name), LONG_AGO, LONG_AGO);

    expect((await user.tireless(['prune', '--yes'], { env })).stdout).not.toContain(ended);
    const shown = await user.tireless(['prune', '--older-than', '0s', '--dry-run'], { env });
    expect(shown.stdout).toContain(ended);
    expect(shown.stdout).not.toContain(waits);
    expect(shown.stdout).toMatch(/^1 loop would be removed: \d/mu);
    expect(await idsOf(user)).toEqual([ended, waits]);
    expect((await user.tireless(['prune', '--older-than', '1ms', '--keep', '1'], { env })).stdout).toContain(
      'nothing to remove',
    );

    for (const json of [[], ['--json']])
      expect(await user.tireless(['prune', '--older-than', '1ms', ...json], { env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Add --yes') as string,
      });
    expect(await idsOf(user)).toEqual([ended, waits]);
    const pruned = await user.tireless(['prune', '--older-than', '1ms', '--yes'], { env });
    expect(pruned).toMatchObject({ code: 0, stderr: '' });
    expect(pruned.stdout).toMatch(/^removed 1 loop: \d/mu);
    expect(await idsOf(user)).toEqual([waits]);
    expect(readdirSync(path.join(user.home, 'loops'))).toEqual([waits]);
    expect(existsSync(path.join(user.home, 'rooms/999999999-x'))).toBe(false);
    expect(readdirSync(temporary).toSorted()).toEqual(['mine', 'tireless-demo-new']);
    expect((await user.tireless(['explain', ended])).stderr).toContain('LOOP_NOT_FOUND');
    expect((await user.tireless(['replay', waits])).code).toBe(0);
  });

  it('leaves the session of a removed loop free for the next one', async () => {
    const user = aUser();
    const start = ['start', 'goal', '--session', 's1', '--check-exists', 'x'];
    for (let round = 0; round < 2; round++) {
      expect((await user.tireless(start)).code).toBe(0);
      expect((await user.tireless(['cancel'])).code).toBe(0);
      const pruned = await user.tireless(['prune', '--older-than', '1ms', '--yes'], { env: { TMPDIR: user.project } });
      expect(pruned.stdout).toContain('removed 1 loop');
      const stdin = JSON.stringify({
        session_id: 's1',
        cwd: user.project,
        hook_event_name: 'Stop',
        last_assistant_message: 'x',
      });
      expect(await user.tireless(['hook', 'claude-code'], { stdin })).toMatchObject({
        code: 0,
        stdout: '{}\n',
        stderr: '',
      });
    }
  });
});
