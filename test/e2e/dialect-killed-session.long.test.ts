/** A session whose program was killed reports no end. Whoever works in the project next must not wait for half an hour. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DIALECT_CASES, hookOf, loopsOf } from '../support/dialect-hooks.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const TURNS = 5;
const OTHER = { session_id: 'session-2' };
const PROMPT = { ...OTHER, hook_event_name: 'UserPromptSubmit', prompt: 'hi' };

function noticeIn(stdout: string): string {
  return (JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? '';
}

async function aClient(): Promise<{ readonly pid: string; readonly kill: () => Promise<void> }> {
  const program = spawn('sleep', ['600'], { stdio: 'ignore' });
  const exited = once(program, 'exit');
  onTestFinished(() => void program.kill('SIGKILL'));
  await once(program, 'spawn');
  const kill = async (): Promise<void> => {
    program.kill('SIGKILL');
    await exited;
  };
  return { pid: String(program.pid), kill };
}

/** Their documents know no session. */
const CASES = DIALECT_CASES.filter(({ file, text }) => !`${file}${text(TURNS)}`.includes('session-1'));

describe.each(CASES)('the file of $name, after its session was killed', ({ name, file, text }) => {
  const at = (user: User): string => path.join(user.project, file);
  const afterKill = async (): Promise<{ readonly user: User; readonly other: ReturnType<typeof hookOf> }> => {
    const user = aUser({ [file]: text(TURNS) });
    const client = await aClient();
    const own = hookOf(user, name, { CLAUDE_PID: client.pid });
    const other = hookOf(user, name, { CLAUDE_PID: String(process.pid) });
    expect((await own('turn 1')).continues).toBe(true);
    expect((await own('turn 2', { stop_hook_active: true })).continues).toBe(true);
    expect((await other('hm', OTHER)).continues).toBe(false);
    await client.kill();
    return { user, other };
  };

  it('is offered at the next prompt and in doctor, and continues in the session that stops next', async () => {
    const { user, other } = await afterKill();
    const doctor = await user.tireless(['doctor', 'claude-code', '--no-start']);
    expect(doctor.stdout).toContain('belongs to the session session-1, which has ended');
    expect(noticeIn((await other('', PROMPT)).stdout)).toContain('session-1');
    expect((await other('turn 3', OTHER)).continues).toBe(true);
    expect(loopsOf(user)).toMatchObject([{ status: 'running', session: { id: 'session-2' } }]);
  });

  it('when written again, is a new loop of the session that stops next', async () => {
    const { user, other } = await afterKill();
    rmSync(at(user));
    writeFileSync(at(user), text(TURNS));
    expect((await other('turn 1', OTHER)).continues).toBe(true);
    const loops = loopsOf(user).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(loops).toMatchObject([
      { status: 'cancelled', outcome: { because: 'file-removed' } },
      { status: 'running', session: { id: 'session-2' } },
    ]);
  });
});
