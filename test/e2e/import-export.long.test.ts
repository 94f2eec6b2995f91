import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';

const FILE = '.claude/ralph-loop.local.md';
const TEXT =
  '---\nactive: true\niteration: 3\nmax_iterations: 9\ncompletion_promise: "all green"\n---\n\nmake the tests pass\n';
const AGENT = 'cat > prompt.txt; echo "<promise>all green</promise>"';

type View = { readonly id: string; readonly status: string; readonly iteration: number };

describe('tireless import', () => {
  it('makes a paused loop of a state file, with its counter and its claim, and leaves the file alone', async () => {
    const user = aUser({ [FILE]: TEXT });
    const ran = await user.tireless(['import', FILE, '--agent-command', AGENT]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/\(ralph-loop\) as loop \S+: 2 of 9 iterations used\ncontinue: tireless resume /);
    expect(readFileSync(path.join(user.project, FILE), 'utf8')).toBe(TEXT);
    const { loops } = JSON.parse((await user.tireless(['status', '--json'])).stdout) as { loops: View[] };
    expect(loops).toMatchObject([{ status: 'paused' }]);
    const resumed = await user.tireless(['resume']);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('iteration 3 of 9');
    expect(readFileSync(path.join(user.project, 'prompt.txt'), 'utf8')).toContain('make the tests pass');
  });

  it('adds checks, so that the claim alone is no longer enough', async () => {
    const user = aUser({ [FILE]: TEXT });
    await user.tireless(['import', FILE, '--agent-command', AGENT, '--check', 'false', '--max-iterations', '3']);
    expect((await user.tireless(['resume'])).code).toBe(3);
  });

  it('takes the stories of a prd.json for criteria, those that pass already ticked', async () => {
    const prd = {
      userStories: [
        { id: 'a', title: 'one', passes: true },
        { id: 'b', title: 'two', passes: false },
      ],
    };
    const user = aUser({ 'prd.json': JSON.stringify(prd) });
    const ran = await user.tireless(['import', 'prd.json', '--agent-command', 'cat', '--tracker', 'notes.md']);
    expect(ran.code).toBe(0);
    const tracker = readFileSync(path.join(user.project, 'notes.md'), 'utf8');
    expect(tracker).toContain('- [x] a: one\n- [ ] b: two\n');
  });

  it('completes a loop from a prd.json only when every story is ticked and the agent claims it', async () => {
    const prd = '{"userStories":[{"id":"a","title":"one","passes":true},{"id":"b","title":"two","passes":false}]}';
    const claims = 'echo "<promise>COMPLETE</promise>"';
    const ticks = 'sed -i "s/\\[ \\]/[x]/" notes.md';
    for (const [agent, code] of [
      [claims, 3],
      [ticks, 3],
      [`${ticks}; ${claims}`, 0],
    ] as const) {
      const user = aUser({ 'prd.json': prd });
      const tail = ['--tracker', 'notes.md', '--max-iterations', '2'];
      expect((await user.tireless(['import', 'prd.json', '--agent-command', agent, ...tail])).code).toBe(0);
      expect((await user.tireless(['resume'])).code).toBe(code);
    }
  });

  it('keeps the running time and the pause that a file allows, unless others are typed', async () => {
    const file = 'AI_Employee_Vault/Ralph_State/RALPH_1.json';
    const user = aUser({ [file]: '{"prompt":"make it","timeout":1800,"pause_between_iterations":3}' });
    await user.tireless(['import', file, '--agent-command', 'cat']);
    const back = JSON.parse((await user.tireless(['export', '--dialect', 'ralph-wiggum'])).stdout) as unknown;
    expect(back).toMatchObject({ timeout: 1800, pause_between_iterations: 3 });
    const other = aUser({ [file]: '{"prompt":"make it","timeout":1800}' });
    await other.tireless(['import', file, '--agent-command', 'cat', '--max-duration', '10m', '--pause-between', '2s']);
    const typed = JSON.parse((await other.tireless(['export', '--dialect', 'ralph-wiggum'])).stdout) as unknown;
    expect(typed).toMatchObject({ timeout: 600, pause_between_iterations: 2 });
  });

  it('recognizes a renamed file by its content, and asks when it cannot', async () => {
    const user = aUser({ 'old.json': '{"spec":"make it","criteriaStatus":{"works":false}}', 'odd.json': '{}' });
    const ran = await user.tireless(['import', 'old.json', '--agent-command', 'cat']);
    expect(ran.stdout).toContain('(loop-mechanics)');
    const odd = await user.tireless(['import', 'odd.json', '--agent-command', 'cat']);
    expect(odd).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--dialect') as string });
    const broken = await user.tireless(['import', 'odd.json', '--dialect', 'athena', '--agent-command', 'cat']);
    expect(broken.stderr).toContain('STATE_FILE_INVALID: Cannot import odd.json as athena');
  });

  it.each([
    [['import'], 'Expected one file'],
    [['import', 'none.md', '--agent-command', 'cat'], 'there is no such file'],
    [['import', 'none.md'], 'No agent was given'],
    [['export'], 'No format was named'],
    [['export', '--dialect', 'nobody'], 'There is no dialect "nobody"'],
  ])('refuses %j', async (args, message) => {
    const ran = await aUser().tireless(args);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  });
});

describe('tireless export', () => {
  it('writes a file that can be imported again', async () => {
    const user = aUser({ [FILE]: TEXT });
    await user.tireless(['import', FILE, '--agent-command', 'cat']);
    expect(
      await user.tireless(['export', '--dialect', 'supercode', '--output', 'out/ralph-loop-state.json']),
    ).toMatchObject({
      code: 0,
      stderr: '',
    });
    const back = await user.tireless(['import', 'out/ralph-loop-state.json', '--agent-command', 'cat']);
    expect(back.stdout).toContain('(supercode)');
    expect(back.stdout).toContain('2 of 9 iterations used');
  });

  it('prints to stdout, and replaces no file', async () => {
    const user = aUser({ [FILE]: TEXT });
    await user.tireless(['import', FILE, '--agent-command', 'cat']);
    const ran = await user.tireless(['export', '--dialect', 'stravinsky']);
    expect(ran.stdout).toBe(
      '---\niteration_count: 3\nmax_iterations: 10\ncompletion_promise: "all green"\nactive: true\n---\nmake the tests pass\n',
    );
    const refused = await user.tireless(['export', '--dialect', 'ralph-loop', '--output', FILE]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Move it away') as string });
    expect(readFileSync(path.join(user.project, FILE), 'utf8')).toBe(TEXT);
  });

  it('ticks the stories of the prd.json that the loop came from, in place, and no other file', async () => {
    const prd =
      '{\r\n  "mine": [1],\r\n  "userStories": [\r\n    { "title": "one", "passes": false, "notes": "n" },\r\n    { "title": "two" }\r\n  ]\r\n}\r\n';
    const user = aUser({ 'prd.json': prd, 'other.json': '{"userStories":[{"title":"three","passes":false}]}' });
    const agent = 'sed -i "s/\\[ \\] one/[x] one/" notes.md';
    await user.tireless([
      'import',
      'prd.json',
      '--agent-command',
      agent,
      '--tracker',
      'notes.md',
      '--max-iterations=1',
    ]);
    expect((await user.tireless(['resume'])).code).toBe(3);
    const ran = await user.tireless(['export', '--dialect', 'prd', '--output', 'prd.json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('1 of 2 stories pass');
    expect(readFileSync(path.join(user.project, 'prd.json'), 'utf8')).toBe(prd.replace('false', 'true'));
    const refused = await user.tireless(['export', '--dialect', 'prd', '--output', 'other.json']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Move it away') as string });
    expect(readFileSync(path.join(user.project, 'other.json'), 'utf8')).toContain('"passes":false');
  });
});
