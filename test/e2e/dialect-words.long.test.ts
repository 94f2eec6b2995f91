/** What a user of every document sees of a file whose loop is new, paused or waits for its first stop. A real process per event. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { DialectName } from '../../src/dialects/names.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { DIALECT_CASES, hookOf, loopsOf } from '../support/dialect-hooks.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const TURNS = 5;
const START = { hook_event_name: 'SessionStart', source: 'startup' };

function noticeIn(stdout: string): string {
  return (JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? '';
}

describe.each(DIALECT_CASES)('a file of $name', ({ name, file, text, claim, prove, off, completed }) => {
  const at = (user: User): string => path.join(user.project, file);
  const change = (user: User, edit: (now: string) => string): void => {
    writeFileSync(at(user), edit(readFileSync(at(user), 'utf8')));
  };
  const paused = async (): Promise<{ readonly user: User; readonly stop: ReturnType<typeof hookOf> }> => {
    const user = aUser({ [file]: text(TURNS) });
    const stop = hookOf(user, name);
    expect((await stop('turn 1')).continues).toBe(true);
    expect((await user.tireless(['pause'])).code).toBe(0);
    expect(noticeIn((await stop('turn 2')).stdout)).toContain('paused');
    return { user, stop };
  };

  it('that is new is not announced to its session as the loop of another one', async () => {
    const user = aUser({ [file]: text(TURNS) });
    const stop = hookOf(user, name);
    expect((await stop('turn 1')).continues).toBe(true);
    rmSync(at(user));
    const next = path.join(user.project, file.replaceAll('session-1', 'session-2'));
    mkdirSync(path.dirname(next), { recursive: true });
    const another = text(TURNS)
      .replaceAll('make it', 'another goal')
      .replaceAll('RALPH_1', 'RALPH_2')
      .replaceAll('2026-11-01T10', '2026-11-02T10')
      .replaceAll('session-1', 'session-2');
    writeFileSync(next, another);
    const session = { session_id: 'session-2' };
    const told = await stop('', { ...session, ...START });
    expect(told.stdout).not.toMatch(/another session|take it over|tireless resume/u);
    expect((await stop('turn 1', session)).continues).toBe(true);
  });

  it.each([
    ['is switched off', off, 'cancelled'],
    ['says that the work is completed', completed, 'completed'],
    ['is deleted', null, 'cancelled'],
  ] as const)('of a paused loop that %s ends the loop, and this is reported', async (_, edit, status) => {
    if (edit === undefined) return;
    const { user, stop } = await paused();
    if (edit === null) rmSync(at(user));
    else change(user, edit);
    // One document has a process that waits and notices it first; the guard of the hooks still lets the next stop through.
    if (DIALECTS[name as DialectName].waitsForApproval === true)
      await vi.waitUntil(() => loopsOf(user)[0]?.status !== 'paused', { timeout: 60_000, interval: 200 });
    const mark = path.join(user.home, 'armed', 'claude-code', 'session-1');
    expect(existsSync(mark)).toBe(true);
    const last = await stop('turn 3');
    expect(last.continues).toBe(false);
    expect(noticeIn(last.stdout)).not.toBe('');
    expect(noticeIn(last.stdout)).not.toMatch(/resume|[Pp]aused/u);
    expect(loopsOf(user)).toMatchObject([{ status }]);
    expect(existsSync(mark)).toBe(false);
    expect(noticeIn((await stop('turn 4')).stdout)).toBe('');
  });

  it('of a paused loop that is damaged lets the agent stop, and the message names it', async () => {
    const { user, stop } = await paused();
    change(user, () => '{"prompt": ---\n[half');
    const last = await stop('turn 3');
    expect(last.continues).toBe(false);
    expect(noticeIn(last.stdout)).toContain(file);
  });

  it('can be paused and resumed before its first stop', async () => {
    const user = aUser({ [file]: text(TURNS) });
    const stop = hookOf(user, name);
    const said = await user.tireless(['pause']);
    expect({ code: said.code, stderr: said.stderr }).toEqual({ code: 0, stderr: '' });
    expect(said.stdout).toContain(file);
    const [loop] = loopsOf(user);
    expect(loop).toMatchObject({ status: 'paused' });
    const first = await stop('turn 1');
    expect(first.continues).toBe(false);
    expect(noticeIn(first.stdout)).toContain(`tireless resume ${loop?.loop ?? ''}`);
    expect((await user.tireless(['resume', loop?.loop ?? ''])).code).toBe(0);
    expect((await stop('turn 2')).continues).toBe(true);
    expect(loopsOf(user)).toMatchObject([{ status: 'running', session: { id: 'session-1' } }]);
  });

  it.each([
    ['no stop', []],
    ['a stop', ['turn 1']],
  ])('that was paused before its first stop, with %s during the pause, keeps what its hook adds', async (_, stops) => {
    const user = aUser({ [file]: text(TURNS) });
    const stop = hookOf(user, name, {}, [
      '--check',
      'test -e proof',
      '--no-room',
      '--protect',
      'proof',
      '--max-duration',
      '2h',
    ]);
    expect((await user.tireless(['pause'])).code).toBe(0);
    for (const message of stops) expect((await stop(message)).continues).toBe(false);
    expect((await user.tireless(['resume'])).code).toBe(0);
    expect((await stop('turn 2')).continues).toBe(true);
    expect(loopsOf(user)).toMatchObject([{ status: 'running', limits: { durationMaxMs: 7_200_000 } }]);
    prove?.(user);
    expect((await stop(claim)).continues).toBe(true);
    expect(loopsOf(user)).toMatchObject([{ status: 'running' }]);
  });

  it('that says that the work is completed can be cancelled, and its end is reported as it is', async () => {
    if (completed === undefined) return;
    const user = aUser({ [file]: text(TURNS) });
    expect((await user.tireless(['pause'])).code).toBe(0);
    change(user, completed);
    const { code, stdout } = await user.tireless(['cancel']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^loop \S+ is completed/u) as string,
    });
    expect(loopsOf(user)).toMatchObject([{ status: 'completed' }]);
  });

  it('that waits for its first stop is reported by doctor', async () => {
    const user = aUser({ [file]: text(TURNS) });
    expect((await user.tireless(['install', 'claude-code', '--dialect', name, '--yes'])).code).toBe(0);
    const { stdout } = await user.tireless(['doctor', 'claude-code', '--no-start']);
    const session = text(TURNS).includes('session-1') ? 'of the session session-1' : 'in this project';
    expect(stdout).toContain(`the loop in ${file} begins at the next stop ${session}; begin it in another session`);
  });
});
