import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeAgent, isRunning, pidIn } from '../support/fake-agents.ts';
import { expectNothingLost, idIn, onlyLoop, watchMemory, within } from '../support/fake-agents/watch.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const TAG = '<promise>DONE</promise>';
const CLAIM = `echo '${TAG}'`;
const GONE_MS = 8000;

/** Without a namespace: what is shown here is what the nets catch, and pids mean the same inside and outside. */
const agent = (command: string): readonly string[] => ['run', 'goal', '--no-contain', '--agent-command', command];
const fileOf = (user: User, name: string): string => path.join(user.project, name);
const linesOf = (user: User, name: string): number =>
  readFileSync(fileOf(user, name), 'utf8').trim().split('\n').length;

describe('an agent that does nothing', () => {
  it('is halted without progress when it prints nothing, and the report names the next step', async () => {
    const user = aUser();
    const { code, stdout, stderr } = await user.tireless(agent('cat >/dev/null'));
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toContain('\nhalted: no progress in 3 iterations (3 allowed)');
    expect(stdout).toContain(`tireless resume ${idIn(stdout)}`);
    await expectNothingLost(user, idIn(stdout));
  });

  it('is halted as failed when it exits at once, with the number of starts it was allowed', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless([...agent('echo x >> starts; exit 3'), '--max-faults', '2']);
    expect(code).toBe(6);
    expect(stdout).toContain('halted: 2 agent faults in a row (2 allowed)');
    expect(stdout).toContain(`tireless resume ${idIn(stdout)}`);
    expect(linesOf(user, 'starts')).toBe(2);
    await expectNothingLost(user, idIn(stdout));
  });

  it('is cut when it hangs, and nothing of it is left', async () => {
    const user = aUser();
    const hangs = fakeAgent('double-forks', fileOf(user, 'pid'), 'stays');
    const { code, stdout } = await user.tireless([...agent(hangs), '--idle-timeout', '1s', '--max-iterations', '1']);
    expect(code).toBe(3);
    expect(stdout).toContain('the agent was silent too long');
    expect(isRunning(await pidIn(fileOf(user, 'pid')))).toBe(false);
    await expectNothingLost(user, idIn(stdout));
  });
});

describe('an agent that says anything', () => {
  it('is refused each time it claims to be done while a check fails', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless([
      ...agent(`cat >/dev/null; echo x >> log; ${CLAIM}`),
      '--check',
      'unit:: cat log; false',
      '--max-iterations',
      '4',
    ]);
    expect(code).toBe(3);
    expect(stdout.match(/the claim is refused; continue with iteration/gu)).toHaveLength(3);
    expect(stdout).toContain('halted: 4 of 4 iterations used, 1 check still fails: unit');
    await expectNothingLost(user, idIn(stdout));
  });

  it('does no harm to screen, journal and next prompt with bytes that are no text, escape sequences and NUL', async () => {
    const user = aUser();
    const bytes = String.raw`'\377\376\000\001\033[2J\033]0;owned\007\302\n\355\240\200\033[31m\r\n'`;
    const { code, stdout, stderr } = await user.tireless([
      ...agent(`cat > prompt; printf ${bytes}; printf ${bytes} >&2; echo x >> log`),
      '--check',
      `unit:: printf ${bytes}; false`,
      '--max-iterations',
      '2',
    ]);
    expect(code).toBe(3);
    const explained = await user.tireless(['explain']);
    expect(explained.code).toBe(0);
    const prompt = readFileSync(fileOf(user, 'prompt'), 'utf8');
    expect(prompt).toContain('# The end of the last message');
    expect(stdout + stderr + explained.stdout + prompt).not.toMatch(/(?![\n\t])\p{Cc}/u);
    await expectNothingLost(user, idIn(stdout));
  });

  it('is heard when it floods stderr, and its flood is kept nowhere', async () => {
    const user = aUser();
    const running = user.starts(agent(`cat >/dev/null; head -c 100000000 /dev/zero | tr '\\0' x >&2; ${CLAIM}`));
    await running.says('iteration 1 of');
    const memory = watchMemory(running.child.pid);
    const { code, stdout } = await running.end;
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(10_000);
    expect(memory.stop()).toBeLessThan(150);
    const { id } = await onlyLoop(user);
    const loopDir = path.join(user.home, 'loops', id);
    expect(statSync(path.join(loopDir, 'journal.jsonl')).size).toBeLessThan(100_000);
    expect(statSync(path.join(loopDir, 'activity.jsonl')).size).toBeLessThan(10_000_000);
    await expectNothingLost(user, id);
  });

  it('may close its input unread, also before a prompt of a megabyte', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless(['run', '--agent-command', `exec 0<&-; ${CLAIM}`], {
      stdin: 'read me '.repeat(131_072),
    });
    expect(code).toBe(0);
    expect(stdout).toContain("completed, unverified (only the agent's word)");
  });
});

describe('an agent that fights', () => {
  it('leaves nothing behind when it forked twice into a session of its own and ended well', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless(agent(`${fakeAgent('double-forks', fileOf(user, 'pid'))}; ${CLAIM}`));
    expect(code).toBe(0);
    expect(isRunning(await pidIn(fileOf(user, 'pid')))).toBe(false);
    await expectNothingLost(user, idIn(stdout));
  });

  it('pauses the loop when it asks its parent to end, and is ended itself', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless(
      agent('cat >/dev/null; echo $$ > pid; kill $PPID; sleep 60; touch late'),
    );
    expect(code).toBe(4);
    expect(stdout).toContain('paused: its driver received SIGTERM');
    expect(stdout).toContain(`continue: tireless resume ${idIn(stdout)}`);
    expect(isRunning(await pidIn(fileOf(user, 'pid')))).toBe(false);
    expect(existsSync(fileOf(user, 'late'))).toBe(false);
    await expectNothingLost(user, idIn(stdout));
  });

  it('does not outlive the parent it killed, and the next resume continues under the same number', async () => {
    const user = aUser();
    const script =
      'cat >/dev/null; [ -e pid ] && exec echo "<promise>DONE</promise>"; echo $$ > pid; kill -9 $PPID; sleep 60';
    const killed = await user.tireless(agent(script));
    expect(killed.code).toBeNull();
    const pid = await pidIn(fileOf(user, 'pid'));
    await within(GONE_MS, 'the agent is gone', () => !isRunning(pid));
    const { loops } = JSON.parse((await user.tireless(['status', '--json'])).stdout) as { loops: { id: string }[] };
    const resumed = await user.tireless(['resume', loops[0]?.id ?? '']);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('iteration 1 of 20 (again)');
    await expectNothingLost(user, loops[0]?.id ?? '');
  });

  it.each([
    ['removes', 'rm -rf "$TIRELESS_HOME"'],
    ['empties', 'for journal in "$TIRELESS_HOME"/loops/*/journal.jsonl; do : > "$journal"; done'],
  ])('is stopped when it %s the journal of its own loop, and nobody is told to resume that', async (_, damage) => {
    const user = aUser();
    const { code, stderr } = await user.tireless(agent(`cat >/dev/null; ${damage}; ${CLAIM}`));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^tireless: JOURNAL_TRUNCATED: .*Restore the file from a backup, or give up the loop: move .* away/u,
    );
    expect(stderr).not.toContain('tireless resume');
  });
});
