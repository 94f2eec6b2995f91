/** A process that is killed between the write of a file and its rename: what it leaves is taken out, and never too soon. */
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const FILE = '.claude/ralph-loop.local.md';

const leftIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'));

/** Killed by itself, at the first rename of such a file. */
function killedAtRenameOf(user: User, name: string): Record<string, string> {
  const preload = path.join(user.home, 'preload.cjs');
  writeFileSync(
    preload,
    `const fs = require('node:fs');
    const rename = fs.renameSync;
    fs.renameSync = (from, to) => to.endsWith(${JSON.stringify(name)}) ? process.kill(process.pid, 'SIGKILL') : rename(from, to);
    require('node:module').syncBuiltinESMExports();`,
  );
  return { NODE_OPTIONS: `--require ${preload}` };
}

function makeOld(folder: string): void {
  const at = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const name of leftIn(folder)) utimesSync(path.join(folder, name), at, at);
}

const starting = ['start', 'paint the shed', '--dialect', 'ralph-loop'];

describe('a writer that is killed before its rename', () => {
  it('leaves a file beside the state file that the next start takes out, once it is old', async () => {
    const user = aUser();
    const killed = await user.tireless(starting, { env: killedAtRenameOf(user, 'ralph-loop.local.md') });
    expect(killed.code).toBeNull();
    expect(leftIn(user.project)).toHaveLength(1);
    expect(await user.tireless(starting)).toMatchObject({ code: 0, stderr: '' });
    // It could still be written to, for all that anyone knows.
    expect(leftIn(user.project)).toHaveLength(1);
    makeOld(user.project);
    const begun = aStop(user.project, '', { hook_event_name: 'SessionStart', source: 'startup' });
    await user.tireless(['hook', 'claude-code', '--dialect', 'ralph-loop'], { stdin: begun });
    expect(leftIn(user.project)).toEqual([]);
    expect(readdirSync(path.join(user.project, path.dirname(FILE)))).toEqual([path.basename(FILE)]);
  });

  it('leaves files in the home that the doctor takes out', async () => {
    const user = aUser();
    const session = { CLAUDE_CODE_SESSION_ID: 's1' };
    const env = { ...killedAtRenameOf(user, `${path.sep}s1`), ...session };
    await user.tireless(['start', 'paint the shed'], { env });
    expect(leftIn(user.home)).toHaveLength(1);
    makeOld(user.home);
    // On a machine without any agent, too.
    const nobody = { PATH: '/nowhere', HOME: user.project };
    const { stdout, stderr } = await user.tireless(['doctor', '--no-start'], { env: nobody });
    expect(stdout).toContain('1 half-written file');
    expect(stderr).toContain('AGENT_NOT_FOUND');
    expect(leftIn(user.home)).toEqual([]);
  });
});
