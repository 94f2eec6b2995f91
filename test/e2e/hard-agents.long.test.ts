import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';

const read = 'cat >/dev/null';

/** Peak resident memory of a process in megabytes, read while it lives. */
function peakMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

describe.runIf(process.platform === 'linux')('an agent that', () => {
  it('prints a gigabyte costs no memory', async () => {
    const user = aUser();
    const script = `${read}; yes 0123456789 | head -c 1073741824; touch done; sleep 1`;
    const running = user.starts(['run', 'goal', '--agent-command', script, '--check-exists', 'done']);
    let peak = 0;
    while (running.child.exitCode === null) {
      if (existsSync(`/proc/${running.child.pid}/status`)) peak = Math.max(peak, peakMb(running.child.pid));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await running.end).code).toBe(0);
    expect(peak).toBeLessThan(200);
  });

  it('prints nothing and ends at once a thousand times is halted at its limit', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      'true',
      '--max-iterations',
      '1000',
      '--max-no-progress',
      'unlimited',
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain('halted: 1000 of 1000 iterations used');
    expect((await user.tireless(['replay'])).code).toBe(0);
  });

  it('ignores SIGTERM is killed when its time is over', async () => {
    const { code, stdout } = await aUser().tireless([
      'run',
      'goal',
      '--agent-command',
      `trap '' TERM; ${read}; while :; do sleep 1; done`,
      '--iteration-timeout',
      '1s',
      '--max-iterations',
      '1',
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain('the iteration took too long');
  });

  it('forks and detaches leaves nobody behind', async () => {
    const user = aUser();
    const script = `${read}; (setsid sh -c 'echo $$ > pid; exec sleep 300' >/dev/null 2>&1 &); while [ ! -s pid ]; do sleep 0.05; done`;
    const { code } = await user.tireless(['run', 'goal', '--agent-command', script, '--check-exists', 'pid']);
    expect(code).toBe(0);
    const pid = readFileSync(path.join(user.project, 'pid'), 'utf8').trim();
    expect(existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('sleep');
  });
});
