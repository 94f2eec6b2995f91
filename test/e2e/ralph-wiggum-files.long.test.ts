import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const HOOK = ['hook', 'claude-code', '--dialect', 'ralph-wiggum'];
const file = (name: string): string => `AI_Employee_Vault/Ralph_State/${name}.json`;
const state = (prompt: string): string => JSON.stringify({ prompt, pause_between_iterations: 0 });

const NOT_TEXT = Buffer.from([0x7b, 0xff, 0xfe]);

describe('state files of the Ralph Wiggum document', () => {
  it('give each of four sessions that stop at once a loop of its own', async () => {
    const names = ['RALPH_1', 'RALPH_2', 'RALPH_3', 'RALPH_4'];
    const user = aUser(Object.fromEntries(names.map((name) => [file(name), state(name)])));
    const ran = await Promise.all(
      names.map((name) => user.tireless(HOOK, { stdin: aStop(user.project, 'hm', { session_id: `of-${name}` }) })),
    );
    const replies = ran.map(({ stdout }) => JSON.parse(stdout) as { readonly reason?: string });
    expect(new Set(replies.map(({ reason }) => reason))).toEqual(new Set(names));
  });

  it('are reported by status and doctor when they cannot be read, beside good ones', async () => {
    const user = aUser({ [file('RALPH_0')]: '{', [file('RALPH_1')]: state('one') });
    writeFileSync(path.join(user.project, file('RALPH_2')), NOT_TEXT);
    const broken = [
      /RALPH_0\.json +cannot be read \(.*\).*; correct it or delete it/u,
      /RALPH_2\.json +cannot be read \(.*UTF-8/u,
    ];
    const before = await user.tireless(['status']);
    expect(before.stdout).toContain('RALPH_1.json  begins at the next stop');
    for (const line of broken) expect(before.stdout).toMatch(line);
    const { stdout } = await user.tireless(HOOK, { stdin: aStop(user.project, 'hm') });
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'block', reason: 'one' });
    expect(stdout).toMatch(/systemMessage.*RALPH_0\.json cannot be read.*RALPH_2\.json cannot be read/u);
    const after = await user.tireless(['status']);
    expect(after.stdout).toMatch(/iteration: +1 of 10/u);
    for (const line of broken) expect(after.stdout).toMatch(line);
    const inJson = JSON.parse((await user.tireless(['status', '--json'])).stdout) as { unreadable: unknown };
    expect(inJson.unreadable).toMatchObject([{ file: file('RALPH_0') }, { file: file('RALPH_2') }]);
    const doctor = await user.tireless(['doctor', 'claude-code', '--no-start']);
    for (const line of broken) expect(doctor.stdout).toMatch(line);
  });
});

describe('tireless start --dialect ralph-wiggum', () => {
  const start = ['start', 'make it', '--dialect', 'ralph-wiggum'];
  const written = (user: User): unknown => {
    const folder = path.join(user.project, 'AI_Employee_Vault/Ralph_State');
    const [name = ''] = readdirSync(folder);
    return JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  };

  it.each([
    [['--max-duration', '30m', '--pause-between', '5s'], { timeout: 1800, pause_between_iterations: 5 }],
    // The defaults of a loop of tireless itself are not those of the document.
    [['--max-duration', '4h', '--pause-between', '0'], { timeout: 14_400, pause_between_iterations: 0 }],
  ])('writes the times that were asked for: %s', async (flags, fields) => {
    const user = aUser();
    expect(await user.tireless([...start, ...flags])).toMatchObject({ code: 0, stderr: '' });
    expect(written(user)).toMatchObject(fields);
  });

  it('leaves the times to the document when none were asked for', async () => {
    const user = aUser();
    await user.tireless(start);
    expect(Object.keys(written(user) as object)).not.toEqual(expect.arrayContaining(['timeout']));
    expect(Object.keys(written(user) as object)).not.toEqual(expect.arrayContaining(['pause_between_iterations']));
  });

  it.each([
    ['--max-duration', 'unlimited'],
    ['--max-duration', '25h'],
    ['--pause-between', '25h'],
  ])('refuses a time that the file cannot hold, and says what it can: %s %s', async (flag, time) => {
    const user = aUser();
    const { code, stderr } = await user.tireless([...start, flag, time]);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`Cannot keep ${flag} ${time} .*ralph-wiggum.*24h`, 'u'));
    expect(existsSync(path.join(user.project, 'AI_Employee_Vault'))).toBe(false);
  });
});
