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

export function dialectLife(cases: readonly DialectCase[]): void {
  describe.each(cases)('the file of $name', ({ name, file, text, counter }) => {
    const at = (user: User): string => path.join(user.project, file);
    const counted = (user: User): number => Number(counter.exec(readFileSync(at(user), 'utf8'))?.[1]);
    const namesSession = /session-1/u.test(text(TURNS));
    const forSession = (session: string): string => text(TURNS).replaceAll('session-1', session);

    it.each([1, 2])('deleted after %i stops and written again, gets all of its turns', async (stops) => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      for (let done = 0; done < stops; done++) expect((await stop(`turn ${done}`)).goesOn).toBe(true);
      rmSync(at(user));
      writeFileSync(at(user), text(TURNS));
      const answers: boolean[] = [];
      for (let done = 0; done < TURNS; done++) answers.push((await stop(`new turn ${done}`)).goesOn);
      expect(answers).toEqual([...Array<boolean>(TURNS - 1).fill(true), false]);
      expect(loopsOf(user).map(({ outcome }) => outcome)).toEqual(
        expect.arrayContaining([REMOVED, expect.objectContaining({ guard: 'iterations-max' })]),
      );
    });

    it('written anew for another session, belongs to that one and not to the one before', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      const session = { session_id: 'session-2' };
      expect((await stop('turn 1')).goesOn).toBe(true);
      rmSync(at(user));
      const next = path.join(user.project, file.replaceAll('session-1', 'session-2'));
      mkdirSync(path.dirname(next), { recursive: true });
      writeFileSync(next, namesSession ? forSession('session-2') : text(TURNS));
      expect((await stop('turn 1', session)).goesOn).toBe(true);
      expect((await stop('turn 2')).goesOn).toBe(false);
      expect((await stop('turn 2', session)).goesOn).toBe(true);
      expect(loopsOf(user).filter(({ status }) => status === 'running')).toMatchObject([
        { session: { id: 'session-2' }, counted: 2 },
      ]);
      // Where the path names the session, the old file is gone, and nobody has looked for it yet.
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
      expect((await user.tireless(['status'])).stdout).toContain('no open loops');
      expect(loopsOf(user)).toMatchObject([{ outcome: REMOVED }]);
    });

    it('is known to status and cancel before its first stop', async () => {
      const user = aUser({ [file]: text(TURNS) });
      expect((await user.tireless(['status'])).stdout).toContain(file);
      const cancelled = await user.tireless(['cancel']);
      expect({ code: cancelled.code, stderr: cancelled.stderr }).toEqual({ code: 0, stderr: '' });
      expect((await hookOf(user, name)('turn 1')).goesOn).toBe(false);
      expect((await user.tireless(['status'])).stdout).toContain('no open loops');
    });

    it('that cannot be counted in lets the agent stop: no endless loop in a folder nobody can write', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      await stop('turn 1');
      chmodSync(path.dirname(at(user)), 0o555);
      try {
        const answers: boolean[] = [];
        for (let done = 0; done < TURNS + 2; done++) answers.push((await stop(`turn ${done + 2}`)).goesOn);
        expect(answers.filter(Boolean).length).toBeLessThan(TURNS);
      } finally {
        chmodSync(path.dirname(at(user)), 0o755);
      }
    });

    it('is never continued more often than it allows by four stops at once', async () => {
      const user = aUser({ [file]: text(TURNS) });
      const stop = hookOf(user, name);
      let continued = 0;
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all([1, 2, 3, 4].map((each) => stop(`round ${round}, stop ${each}`)));
        continued += answers.filter(({ goesOn }) => goesOn).length;
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
      expect((await stop('turn 1', of('session-1', 'Stop'))).goesOn).toBe(true);
      expect((await stop('', of('session-2', 'SessionStart'))).stdout).toContain('another session');
      expect((await stop('turn 1', of('session-2', 'Stop'))).goesOn).toBe(false);
    });
  });
}
