/** What agent and checks printed, as a user reads it afterwards and meanwhile. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

function logFile({ home }: User): string {
  const [loop = ''] = readdirSync(path.join(home, 'loops'));
  return path.join(home, 'loops', loop, 'activity.jsonl');
}

describe('tireless logs', () => {
  it('shows agent and checks per iteration, private, and nothing of hold-outs', async () => {
    const user = aUser();
    const agent = 'cat >/dev/null; echo "I am at $TIRELESS_ITERATION"; echo careful >&2; echo x >> log';
    const lines = 'lines:: wc -l < log | tr -d " "; test "$(wc -l < log)" -ge 2';
    const checks = ['--check', lines, '--holdout', 'secret:: echo hidden-words; test -f log'];
    const { code } = await user.tireless(['run', 'two lines', '--agent-command', agent, ...checks]);
    expect(code).toBe(0);
    const { stdout } = await user.tireless(['logs']);
    expect(stdout).toMatch(/^before the first iteration\n {2}✗ lines\n/);
    expect(stdout).toContain('iteration 1\n');
    expect(stdout).toContain('  I am at 2\n');
    expect(stdout).toContain('  ! careful\n');
    expect(stdout).toContain('  ✓ lines\n    | 2\n  ✓ lines (clean room)\n    | 2\n');
    expect(`${stdout}${readFileSync(logFile(user), 'utf8')}`).not.toMatch(/hidden-words|secret/);
    expect(statSync(logFile(user)).mode & 0o777).toBe(0o600);
    const one = await user.tireless(['logs', '--iteration', '1', '--agent']);
    expect(one.stdout).toMatch(/^iteration 1\n(?: {2}I am at 1\n {2}! careful| {2}! careful\n {2}I am at 1)\n$/);
    expect((await user.tireless(['logs', '--agent', '--checks'])).code).toBe(2);
  });

  it('follows a loop until it ends', async () => {
    const user = aUser();
    const door = path.join(user.home, 'door');
    const agent = `cat >/dev/null; echo "first words"; while [ ! -f ${door} ]; do sleep 0.1; done; echo "last words"; touch done`;
    const running = user.starts(['run', 'goal', '--agent-command', agent, '--check', 'done:: test -f done']);
    await running.says('iteration 1');
    const following = user.starts(['logs', '-f']);
    await following.says('first words');
    writeFileSync(door, '');
    const { code, stdout } = await following.end;
    expect(code).toBe(0);
    expect(stdout).toContain('  last words\n');
    expect(stdout).toMatch(/ {2}✓ done \(clean room\)\n {4}\| \(no output\)\nloop \S+ is completed, verified/);
    await running.end;
  });

  it('keeps the checks of a session, and says where the conversation is', async () => {
    const user = aUser();
    await user.tireless(['start', 'goal', '--session', 'session-1', '--check', 'shed:: echo the shed is red; false']);
    await user.tireless(['hook', 'claude-code'], { stdin: aStop(user.project, 'I tried.') });
    const { stdout } = await user.tireless(['logs']);
    expect(stdout).toMatch(/^\[this loop runs in a session/);
    expect(stdout).toContain('before the first iteration\n  ✗ shed\n    | the shed is red\n');
    expect(stdout).toContain('iteration 1\n  ✗ shed\n    | the shed is red\n');
    const missing = await user.tireless(['logs', '--iteration', '9']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('has no iteration 9: its newest is 2.') });
  });

  it('continues a loop whose log cannot be written', async () => {
    const user = aUser();
    const agent = 'cat >/dev/null; rm -rf "$LOG" && mkdir "$LOG"; echo words; touch done';
    const script = `LOG=$(ls -d ${user.home}/loops/*)/activity.jsonl; ${agent}`;
    const { code } = await user.tireless(['run', 'goal', '--agent-command', script, '--check', 'done:: test -f done']);
    expect(code).toBe(0);
    expect(existsSync(path.join(user.project, 'done'))).toBe(true);
    expect((await user.tireless(['logs'])).stdout).toBe('nothing was printed\n');
  });

  it('writes nothing at a stop without checks', async () => {
    const user = aUser();
    await user.tireless(['start', 'goal', '--session', 'session-1']);
    await user.tireless(['hook', 'claude-code'], { stdin: aStop(user.project, 'I tried.') });
    expect(existsSync(logFile(user))).toBe(false);
  });
});
