import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../../test/support/a-project.ts';
import { aTalk } from '../../../test/support/a-talk.ts';
import { install } from '../../cli/commands/install.ts';
import { uninstall } from '../../cli/commands/uninstall.ts';
import { armOnDemand, disarmOnDemand } from './on-demand.ts';

const PROGRAM = { node: '/usr/bin/node', cli: '/x/dist/cli.js', hook: '/x/dist/hook.cjs', plugins: '/x/plugins' };
const LOCAL = '.claude/settings.local.json';

function events(file: string): readonly string[] {
  return Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { hooks: object }).hooks);
}

describe('on demand', () => {
  it('registers only what begins a loop, and the rest while one is armed', async () => {
    const talk = aTalk();
    const { world, home, project } = talk;
    expect(await install.call(['claude-code', '--on-demand', '--yes'], world)).toBe(0);
    expect(events(path.join(home, '.claude/settings.json'))).toEqual(['SessionStart', 'UserPromptExpansion']);
    talk.loops.push('one');
    expect(armOnDemand('claude-code', project, world, PROGRAM)).toBe('armed');
    const file = path.join(project, LOCAL);
    expect(events(file)).toEqual(['Stop', 'StopFailure', 'UserPromptSubmit', 'PreToolUse', 'SessionEnd']);
    const armed = readFileSync(file, 'utf8');
    talk.loops.push('two');
    armOnDemand('claude-code', project, world, PROGRAM);
    expect(readFileSync(file, 'utf8')).toBe(armed);
    talk.loops.pop();
    expect(await disarmOnDemand('claude-code', project, world, PROGRAM)).toBe('still-armed');
    expect(readFileSync(file, 'utf8')).toBe(armed);
    talk.loops.pop();
    expect(await disarmOnDemand('claude-code', project, world, PROGRAM)).toBe('disarmed');
    expect(existsSync(file)).toBe(false);
    // A running client watches the folder: without it, the client would not see the hooks of the next loop.
    expect(existsSync(path.join(project, '.claude'))).toBe(true);
  });

  it('gives the hooks back to a loop that was armed while they were taken out', async () => {
    const talk = aTalk();
    const { world, project } = talk;
    await install.call(['claude-code', '--on-demand', '--yes'], world);
    armOnDemand('claude-code', project, world, PROGRAM);
    talk.afterFirstLook(() => talk.loops.push('late'));
    expect(await disarmOnDemand('claude-code', project, world, PROGRAM)).toBe('still-armed');
    expect(events(path.join(project, LOCAL))).toContain('Stop');
  });

  it('does nothing where it was not asked for, and leaves the loops of another project alone', async () => {
    const talk = aTalk();
    const { world, project } = talk;
    await install.call(['claude-code', '--yes'], world);
    expect(armOnDemand('claude-code', project, world, PROGRAM)).toBe('not-on-demand');
    expect(await disarmOnDemand('claude-code', project, world, PROGRAM)).toBe('not-on-demand');
    expect(armOnDemand('codex', project, world, PROGRAM)).toBe('not-on-demand');
    await install.call(['claude-code', '--on-demand', '--yes'], world);
    const other = aProject();
    armOnDemand('claude-code', other, world, PROGRAM);
    talk.loops.push('here');
    expect(await disarmOnDemand('claude-code', other, world, PROGRAM)).toBe('disarmed');
  });

  it('leaves the hooks of an armed loop in place when it is installed again, and takes all out at the end', async () => {
    const talk = aTalk({ [LOCAL]: '{ "model": "x" }\n' });
    const { world, project } = talk;
    await install.call(['claude-code', '--project', '--on-demand', '--yes'], world);
    armOnDemand('claude-code', project, world, PROGRAM);
    const file = path.join(project, LOCAL);
    const armed = readFileSync(file, 'utf8');
    await install.call(['claude-code', '--project', '--on-demand', '--yes'], world);
    expect(readFileSync(file, 'utf8')).toBe(armed);
    await uninstall.call([], world);
    expect(readFileSync(file, 'utf8')).toBe('{ "model": "x" }\n');
  });

  it('is refused for hosts that do not read their settings again', async () => {
    const { world } = aTalk();
    await expect(install.call(['gemini', '--on-demand', '--yes'], world)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('reads its settings only once'),
    });
    await expect(install.call(['--on-demand', '--yes'], world)).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('the question', () => {
  it('is asked at a terminal, and only a yes writes', async () => {
    const no = aTalk({}, ['n\n']);
    expect(await install.call(['claude-code'], no.world)).toBe(1);
    expect(no.said()).toContain('Write this? [y/N] Nothing was written.');
    expect(existsSync(path.join(no.home, '.claude'))).toBe(false);
    const yes = aTalk({}, ['yes\n']);
    expect(await install.call(['claude-code'], yes.world)).toBe(0);
    expect(existsSync(path.join(yes.home, '.claude/settings.json'))).toBe(true);
  });

  it('about trust is one of its own: a no installs the hooks untrusted, a yes marks them', async () => {
    const no = aTalk({}, ['n\n', 'y\n']);
    expect(await install.call(['codex'], no.world)).toBe(0);
    expect(existsSync(path.join(no.home, '.codex/config.toml'))).toBe(false);
    expect(no.said()).toContain('Codex silently skips a hook until you trust it');
    const yes = aTalk({}, ['y\ny\n']);
    expect(await install.call(['codex'], yes.world)).toBe(0);
    expect(readFileSync(path.join(yes.home, '.codex/config.toml'), 'utf8').match(/trusted_hash/gu)).toHaveLength(6);
  });

  it('is a no when the terminal is closed', async () => {
    const { world, home } = aTalk({}, []);
    expect(await install.call(['claude-code'], world)).toBe(1);
    expect(existsSync(path.join(home, '.claude'))).toBe(false);
  });
});
