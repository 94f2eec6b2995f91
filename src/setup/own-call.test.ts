import { spawnSync } from 'node:child_process';
import { chmodSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { ownCall } from './own-call.ts';

const HOME = '/somewhere/tireless';
const node = process.execPath;

/** A folder whose name a shell would split, with a program that prints how it was called. */
function installed(): { readonly cwd: string; readonly script: string } {
  const cwd = realpathSync(aProject({ [`it's  "a" $HOME \`id\` & #/cli.js`]: PROGRAM, 'bin/tireless': '#!/bin/sh\n' }));
  chmodSync(path.join(cwd, 'bin/tireless'), 0o755);
  return { cwd, script: path.join(cwd, `it's  "a" $HOME \`id\` & #`, 'hook.cjs') };
}
const PROGRAM = `console.log(JSON.stringify([process.env.TIRELESS_HOME, ...process.argv.slice(2)]));`;

const linux = (env: Readonly<Record<string, string>>): Parameters<typeof ownCall>[2] => ({
  os: 'linux',
  env,
  home: '/home/u',
});

describe('how an agent can call tireless', () => {
  it('is its name where the shell of the agent finds it', () => {
    const { cwd, script } = installed();
    for (const folder of [path.join(cwd, 'bin'), './bin'])
      expect(ownCall({ node, script, home: HOME }, cwd, linux({ PATH: folder, TIRELESS_HOME: HOME }))).toBe('tireless');
  });

  it('is the call of the hook itself where it does not, whatever is in its path, with the home of the loop', () => {
    const { cwd, script } = installed();
    const home = `${HOME} of 'mine'`;
    const said = (env: Readonly<Record<string, string>>): unknown => {
      const call = ownCall({ node, script, home }, cwd, linux({ PATH: '/nowhere', ...env }));
      const { stdout, stderr } = spawnSync('sh', ['-c', `${call} wait a-loop`], { env, encoding: 'utf8' });
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    expect(said({ TIRELESS_HOME: home })).toEqual([home, 'wait', 'a-loop']);
    expect(said({})).toEqual([home, 'wait', 'a-loop']);
    // A home that tireless refuses.
    expect(said({ TIRELESS_HOME: 'relative' })).toEqual([home, 'wait', 'a-loop']);
  });

  it('names no home that the agent knows anyway', () => {
    const { cwd, script } = installed();
    const call = ownCall({ node, script, home: '/home/u/.local/state/tireless' }, cwd, linux({ PATH: '/nowhere' }));
    expect(call).not.toContain('TIRELESS_HOME');
  });

  it('is its name on Windows, where nobody knows which shell the agent has', () => {
    const home = String.raw`C:\state`;
    const called = { node: String.raw`C:\node.exe`, script: String.raw`C:\dist\hook.cjs`, home };
    expect(ownCall(called, 'C:\\', { os: 'win32', env: { PATH: '' }, home: 'C:\\' })).toBe('tireless');
  });
});
