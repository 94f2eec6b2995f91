/** What a user of every document does with its file, a real process per stop. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DialectCase } from '../support/dialect-hooks.ts';
import { hookOf, loopsOf } from '../support/dialect-hooks.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const TURNS = 4;
const REMOVED = { kind: 'cancelled', because: 'file-removed' };

/** The same file, written for another loop. */
function another(text: string): string {
  return text
    .replaceAll('make it', 'another goal')
    .replaceAll('# Plan', '# Another plan')
    .replaceAll('RALPH_1', 'RALPH_2')
    .replaceAll('2026-11-01T10', '2026-11-02T10');
}

export function dialectLife(cases: readonly DialectCase[]): void {
  describe.each(cases)('the file of $name', ({ name, file, text, counter }) => {
    const at = (user: User): string => path.join(user.project, file);
    const counted = (user: User): number => Number(counter.exec(readFileSync(at(user), 'utf8'))?.[1]);
    const namesSession = /session-1/u.test(text(TURNS));
    const forSession = (session: string): string => another(text(TURNS)).replaceAll('session-1', session);
    const sentBack = { stop_hook_active: true };
    /** Three turns of the loop; in the last one the agent restores its first file. */
    const afterOldCopy = async (): Promise<{ readonly user: User; readonly stop: ReturnType<typeof hookOf> }> => {
      const user = aUser({ [file]: text(TURNS + 1) });
      const stop = hookOf(user, name);
      for (let done = 0; done < 3; done++)
        expect((await stop(`turn ${done}`, { stop_hook_active: done > 0 })).continues).toBe(true);
      writeFileSync(at(user), text(TURNS + 1));
      return { user, stop };
    };

    it.each([1, 2])('deleted after %i stops and written again, gets all of its turns', async (stops) => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      for (let done = 0; done < stops; done++) expect((await stop(`turn ${done}`)).continues).toBe(true);
      rmSync(at(user));
      writeFileSync(at(user), text(TURNS));
      const answers: boolean[] = [];
      for (let done = 0; done < TURNS; done++) answers.push((await stop(`new turn ${done}`)).continues);
      expect(answers).toEqual([...Array<boolean>(TURNS - 1).fill(true), false]);
      expect(loopsOf(user).map(({ outcome }) => outcome)).toEqual(
        expect.arrayContaining([REMOVED, expect.objectContaining({ guard: 'iterations-max' })]),
      );
    });

    it('written anew for another session, belongs to that one and not to the one before', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      const session = { session_id: 'session-2' };
      expect((await stop('turn 1')).continues).toBe(true);
      rmSync(at(user));
      const next = path.join(user.project, file.replaceAll('session-1', 'session-2'));
      mkdirSync(path.dirname(next), { recursive: true });
      writeFileSync(next, namesSession ? forSession('session-2') : another(text(TURNS)));
      expect((await stop('turn 1', session)).continues).toBe(true);
      expect((await stop('turn 2')).continues).toBe(false);
      expect((await stop('turn 2', session)).continues).toBe(true);
      expect(loopsOf(user).filter(({ status }) => status === 'running')).toMatchObject([
        { session: { id: 'session-2' }, counted: 2 },
      ]);
      // If the path names the session, the old file is gone, and nobody has searched for it yet.
      const cancelled = loopsOf(user).filter(({ outcome }) => outcome?.kind === 'cancelled');
      expect(
        cancelled.filter(({ outcome }) => outcome?.kind === 'cancelled' && outcome.because !== REMOVED.because),
      ).toEqual([]);
    });

    it('counts a raised counter at the very next stop, and begins anew where it is set back', async () => {
      const user = aUser({ [file]: text(TURNS + 4) });
      const stop = hookOf(user, name);
      const set = (to: number): void => {
        const now = readFileSync(at(user), 'utf8');
        writeFileSync(
          at(user),
          now.replace(counter, (all) => all.replace(/\d+$/u, String(to))),
        );
      };
      const first = counted(user);
      await stop('turn 1');
      set(first + 3);
      await stop('turn 2');
      expect(counted(user)).toBe(first + 4);
      set(first);
      await stop('turn 3');
      expect(counted(user)).toBe(first + 1);
      expect(
        loopsOf(user)
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual(['cancelled', 'running']);
    });

    it('ends a paused loop by being deleted, and is then known to status', async () => {
      const user = aUser({ [file]: text(TURNS) });
      await hookOf(user, name)('turn 1');
      expect((await user.tireless(['pause'])).code).toBe(0);
      rmSync(at(user));
      const { stdout } = await user.tireless(['status']);
      expect(stdout).toMatch(/^loop \S+ was cancelled.*its file was removed/mu);
      expect(stdout).toContain('no open loops');
      expect(loopsOf(user)).toMatchObject([{ outcome: REMOVED }]);
    });

    it('lets the agent stop while it is broken, and status shows it, also of a paused loop', async () => {
      const user = aUser({ [file]: text(TURNS) });
      await hookOf(user, name)('turn 1');
      expect((await user.tireless(['pause'])).code).toBe(0);
      writeFileSync(at(user), '{"prompt": ---\n[half');
      expect((await hookOf(user, name)('turn 2')).continues).toBe(false);
      expect((await user.tireless(['status'])).stdout).toContain('cannot be read');
    });

    it('is known to status and cancel before its first stop', async () => {
      const user = aUser({ [file]: text(TURNS) });
      expect((await user.tireless(['status'])).stdout).toContain(file);
      const cancelled = await user.tireless(['cancel']);
      expect({ code: cancelled.code, stderr: cancelled.stderr }).toEqual({ code: 0, stderr: '' });
      expect((await hookOf(user, name)('turn 1')).continues).toBe(false);
      expect((await user.tireless(['status'])).stdout).toContain('no open loops');
    });

    it('that cannot be counted in lets the agent stop: no endless loop in a folder nobody can write', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      await stop('turn 1');
      chmodSync(path.dirname(at(user)), 0o555);
      let unwritten = 0;
      try {
        for (let done = 0; done < TURNS + 2; done++) if ((await stop(`turn ${done + 2}`)).continues) unwritten += 1;
      } finally {
        chmodSync(path.dirname(at(user)), 0o755);
      }
      // Root can write anywhere. For everyone else those stops were let through, and do not count as turns.
      expect(unwritten).toBe(process.getuid?.() === 0 ? TURNS - 2 : 0);
      let written = 0;
      for (let done = 1; done < TURNS; done++) if ((await stop(`later turn ${done}`)).continues) written += 1;
      expect(unwritten + written).toBe(TURNS - 2);
    });

    it.each(['cancel', 'pause'])('obeys %s after its agent wrote an old copy', async (word) => {
      const { user, stop } = await afterOldCopy();
      const { code, stderr } = await user.tireless([word]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const message of ['turn 4', 'turn 5']) expect((await stop(message, sentBack)).continues).toBe(false);
      expect(loopsOf(user).map(({ status }) => status)).toEqual([word === 'cancel' ? 'cancelled' : 'paused']);
    });

    it('stays with the session at work whose agent wrote an old copy, even when another session stops', async () => {
      const { user, stop } = await afterOldCopy();
      expect((await stop('other work', { session_id: 'session-2' })).continues).toBe(false);
      expect((await stop('turn 4', sentBack)).continues).toBe(true);
      expect((await stop('turn 5', sentBack)).continues).toBe(false);
      expect(loopsOf(user)).toMatchObject([{ outcome: { guard: 'iterations-max' } }]);
    });

    it('written for another goal in a turn of the loop, gets all of its turns', async () => {
      const { user, stop } = await afterOldCopy();
      rmSync(at(user));
      writeFileSync(at(user), another(text(TURNS)));
      const answers: boolean[] = [];
      for (let done = 0; done < TURNS; done++) answers.push((await stop(`new turn ${done}`, sentBack)).continues);
      expect(answers).toEqual([...Array<boolean>(TURNS - 1).fill(true), false]);
    });

    // The others name their session, in the file or by its folder.
    it.runIf(['stravinsky', 'loop-mechanics', 'ralph-wiggum'].includes(name))(
      'goes to the next session when its own has ended',
      async () => {
        const user = aUser({ [file]: text(TURNS) });
        const stop = hookOf(user, name);
        const next = { session_id: 'session-2' };
        expect((await stop('turn 1')).continues).toBe(true);
        await stop('', { hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' });
        const told = await stop('', { ...next, hook_event_name: 'SessionStart', source: 'startup' });
        expect(told.stdout).toContain('has ended');
        expect((await user.tireless(['doctor', 'claude-code', '--no-start'])).stdout).toContain('which has ended');
        expect((await stop('turn 2', next)).continues).toBe(true);
        expect((await stop('turn 3')).continues).toBe(false);
        expect(loopsOf(user)).toMatchObject([{ session: { id: 'session-2' }, counted: 2 }]);
      },
    );

    it('is never continued more often than it allows by four stops at once', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      let continued = 0;
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all([1, 2, 3, 4].map((each) => stop(`round ${round}, stop ${each}`)));
        continued += answers.filter(({ continues }) => continues).length;
      }
      expect(continued).toBeLessThan(TURNS);
      expect(loopsOf(user)).toHaveLength(1);
    });

    it('of another session is explained to a session that starts, and left alone at its stop', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      const talk = (session: string): string => path.join(user.project, 'talks', `${session}.jsonl`);
      mkdirSync(path.join(user.project, 'talks'));
      for (const session of ['session-1', 'session-2']) writeFileSync(talk(session), '');
      const of = (session: string, event: string): Record<string, unknown> => ({
        session_id: session,
        hook_event_name: event,
        transcript_path: talk(session),
        ...(event === 'SessionStart' ? { source: 'startup' } : {}),
      });
      expect((await stop('turn 1', of('session-1', 'Stop'))).continues).toBe(true);
      expect((await stop('', of('session-2', 'SessionStart'))).stdout).toContain('another session');
      expect((await stop('turn 1', of('session-2', 'Stop'))).continues).toBe(false);
    });
  });
}
