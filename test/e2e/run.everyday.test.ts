import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoopView } from '../../src/views/loop-view.ts';
import { aUser } from '../support/run-cli.ts';

const loopIn = (text: string): LoopView => JSON.parse(text) as LoopView;
const read = 'cat >/dev/null';
const claim = "printf '%s\\n' 'All good.' '<promise>DONE</promise>'";

describe('tireless run', () => {
  it('drives an agent until the check passes, and calls it verified', async () => {
    const user = aUser();
    const script = `${read}; echo "$TIRELESS_ITERATION" >> log; [ "$TIRELESS_DIR" = "$PWD" ] || exit 1`;
    const { code, stdout, stderr } = await user.tireless([
      'run',
      'three',
      'lines',
      '--agent-command',
      script,
      '--check',
      'lines:: [ "$(wc -l < log)" -ge 3 ]',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('iteration 3 of 20');
    expect(stdout).toContain('completed, verified (clean room); 1 check passed: lines');
    expect(stdout).toMatch(/3 iterations, \S+, loop \S+\n {2}why: +tireless explain \S+/);
    expect(readFileSync(path.join(user.project, 'log'), 'utf8')).toBe('1\n2\n3\n');
  });

  it('refuses a false claim with the reason, and halts at the limit', async () => {
    const { code, stdout } = await aUser().tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; ${claim}`,
      '--check',
      'unit:: false',
      '--max-iterations',
      '2',
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain(
      'the claim is refused; continue with iteration 2 (the last one allowed): 1 check still fails: unit',
    );
    expect(stdout).toContain('\nhalted: 2 of 2 iterations used, 1 check still fails: unit\n');
    expect(stdout).toMatch(/continue: +tireless resume \S+ --max-iterations 4/);
  });

  it('counts finishing on the last allowed iteration as a success', async () => {
    const { code } = await aUser().tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; touch done`,
      '--check-exists',
      'done',
      '--max-iterations',
      '1',
    ]);
    expect(code).toBe(0);
  });

  it('does not call it verified when the checks passed before the agent began', async () => {
    const user = aUser();
    const lazy = ['run', 'add a search', '--agent-command', `${read}; ${claim}`, '--check', 'unit:: true'];
    const plain = await user.tireless(lazy);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain(
      'completed, unverified (the checks passed before the work too: nothing broke, but no check proves the goal)',
    );
    const strict = await user.tireless([...lazy, '--require-verified', '--json']);
    expect(strict.code).toBe(7);
    expect(loopIn(strict.stdout).outcome).toMatchObject({ verified: false, level: null, greenBefore: 'room' });
    expect((await user.tireless(['verify'])).stdout).toContain('every check passed before the work too');
    const listed = await user.tireless(['list']);
    expect(listed.stdout).toContain('unverified');
    expect((await user.tireless(['replay'])).code).toBe(0);
  });

  it('calls it verified when a hold-out did not pass before, although every other check did', async () => {
    const { code, stdout } = await aUser().tireless([
      'run',
      'add a search',
      '--agent-command',
      `${read}; touch search; ${claim}`,
      '--check',
      'unit:: true',
      '--holdout',
      'hidden:: test -f search',
      '--require-verified',
    ]);
    expect(stdout).toContain('completed, verified (clean room)');
    expect(code).toBe(0);
  });

  it('says unverified when nothing but a claim speaks for it, and exits 7 when that is not enough', async () => {
    const user = aUser();
    const agent = ['--agent-command', `${read}; ${claim}`];
    const plain = await user.tireless(['run', 'goal', ...agent]);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain("completed, unverified (only the agent's word)");
    expect((await user.tireless(['run', 'goal', ...agent, '--require-verified'])).code).toBe(7);
  });

  it('prints one JSON object and nothing else on stdout, the story on stderr', async () => {
    const user = aUser();
    const { code, stdout, stderr } = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; touch done`,
      '--check',
      'unit:: test -e done',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('completed, verified');
    expect(loopIn(stdout)).toMatchObject({
      goal: 'goal',
      status: 'completed',
      iteration: 1,
      outcome: { kind: 'completed', verified: true, guard: null },
      limits: { iterationsMax: 20 },
      checks: [{ name: 'unit', result: 'passed' }],
      host: 'command',
      session: null,
      cwd: user.project,
    });
  });

  it('streams one object per event and the loop last', async () => {
    const { stdout } = await aUser().tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; echo hello; touch done`,
      '--check-exists',
      'done',
      '--json=stream',
    ]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind?: string; status?: string });
    expect(lines.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['loop-opened', 'iteration-began', 'agent-active', 'check-ended', 'decided']),
    );
    expect(lines.at(-1)).toMatchObject({ status: 'completed' });
  });

  it('hands a megabyte of goal to the agent byte for byte, whatever is in it', async () => {
    const user = aUser();
    const nasty =
      '---\niteration: 99\n"quotes" \'single\' `backticks` $(touch pwned) ${HOME} -h --max-iterations 1 $& \\ 👩‍🚀 日本\t\r\n';
    const goal = nasty.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(nasty)));
    const { code } = await user.tireless(
      ['run', '--agent-command', 'cat > prompt', '--check-exists', 'prompt', '--json'],
      { stdin: goal },
    );
    expect(code).toBe(0);
    expect(readFileSync(path.join(user.project, 'prompt')).includes(Buffer.from(goal))).toBe(true);
    expect(existsSync(path.join(user.project, 'pwned'))).toBe(false);
    const { loops } = JSON.parse((await user.tireless(['history', '--json'])).stdout) as { loops: LoopView[] };
    expect(loops[0]?.goal).toBe(goal);
  });

  it('takes a goal after -- as it is, and from a file', async () => {
    const user = aUser({ 'GOAL.md': '-h in a file\n' });
    const rest = ['--agent-command', 'cat > prompt', '--check-exists', 'prompt', '--json'];
    expect(loopIn((await user.tireless(['run', ...rest, '--', '-h', '--json=no', 'x'])).stdout).goal).toBe(
      '-h --json=no x',
    );
    expect(
      loopIn(
        (await user.tireless(['run', ...rest, '--goal-file', 'GOAL.md', '--claim', 'X', '--max-iterations=1'])).stdout,
      ).goal,
    ).toBe('-h in a file\n');
  });

  it('ends with 6 when the agent fails again and again', async () => {
    const { code, stdout } = await aUser().tireless(['run', 'goal', '--agent-command', 'exit 9', '--max-faults', '1']);
    expect(code).toBe(6);
    expect(stdout).toContain('halted: 1 agent fault in a row (1 allowed)');
  });

  it('pauses with 4 when the agent says it is blocked, and names the command that answers', async () => {
    const user = aUser();
    const agent = `${read}; echo '<blocked>Postgres?</blocked>'`;
    const { code, stdout } = await user.tireless(['run', 'goal', '--agent-command', agent]);
    expect(code).toBe(4);
    expect(stdout.match(/paused: the agent is blocked: Postgres\?$/gmu)).toHaveLength(1);
    expect(stdout).toMatch(/answer: +tireless steer \S+/);
    expect((await user.tireless(['approve'])).stderr).toContain('is blocked: Postgres? Type: tireless steer');
    const how = /it continues without an answer from you; to answer: tireless steer \S+ "…"\n/u;
    expect((await user.tireless(['resume'])).stdout).toMatch(how);
    await user.tireless(['steer', 'use SQLite']);
    expect((await user.tireless(['resume'])).stdout).not.toMatch(how);
  });

  it('completes by the ticks of the agent in a tracker of its own', async () => {
    const user = aUser();
    const script = `${read}; sed -i.bak 's/- \\[ \\] docs/- [x] docs/' .tireless/tracker-*.md; ${claim}`;
    const { code, stdout } = await user.tireless(['run', 'goal', '--agent-command', script, '--criterion', 'docs']);
    expect(code).toBe(0);
    expect(stdout).toContain('completed, unverified');
    expect(readFileSync(path.join(user.project, '.tireless/.gitignore'), 'utf8')).toContain('*\n!config.json\n');
  });

  it('never lets the agent drive the terminal of the user', async () => {
    const script = `${read}; printf '\\033]0;owned\\007\\033[2J<blocked>\\033[31mred</blocked>\\n'; printf '<blocked>\\033[31mred</blocked>\\n'`;
    const { stdout, stderr } = await aUser().tireless([
      'run',
      'goal \u001B[2J',
      '--agent-command',
      script,
      '--max-iterations',
      '1',
    ]);
    expect(stdout + stderr).not.toContain('\u001B');
  });

  it('keeps the loop when the agent deletes the project, and says how to continue', async () => {
    const user = aUser();
    const project = path.join(user.project, 'inner');
    writeFileSync(path.join(user.project, 'keep'), '');
    await user.tireless(['list']);
    const made = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `mkdir -p inner; ${read}`,
      '--check-exists',
      'inner',
      '--json',
    ]);
    expect(made.code).toBe(0);
    const { code, stderr } = await user.tireless(
      ['run', 'goal', '--agent-command', `${read}; rm -rf "$TIRELESS_DIR"`, '--check', 'false'],
      { cwd: project },
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/PROJECT_MISSING: .*tireless resume/);
    expect((await user.tireless(['status'])).stdout).toContain('paused');
  });

  it('reports when it runs inside the agent of a loop that is kept elsewhere', async () => {
    const { stderr } = await aUser().tireless(['run', 'goal', '--agent-command', read, '--max-iterations', '1'], {
      env: { TIRELESS_LOOP: 'outer-loop' },
    });
    expect(stderr).toContain('this runs inside the agent of loop outer-loop');
  });
});
