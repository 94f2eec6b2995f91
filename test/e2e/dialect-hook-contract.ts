/** What a host sees of every dialect: a real process per stop. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DialectCase } from '../support/dialect-hooks.ts';
import { hookOf, loopsOf } from '../support/dialect-hooks.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const OUTLASTED = 'work in the background did not end';

export function hookContract(cases: readonly DialectCase[]): void {
  describe.each(cases)('tireless hook claude-code --dialect $name', ({ name, file, text, claim, prove, counter }) => {
    const count = (user: User): number =>
      Number(counter.exec(readFileSync(path.join(user.project, file), 'utf8'))?.[1]);

    it('keeps the agent going until it is complete, and leaves another session alone', async () => {
      const user = aUser({ [file]: text(9) });
      const stop = hookOf(user, name);
      const before = count(user);
      expect((await stop('not yet')).continues).toBe(true);
      expect(count(user)).toBe(before + 1);
      expect(await stop('not yet', { session_id: 'session-2' })).toMatchObject({ continues: false, code: 0 });
      expect(count(user)).toBe(before + 1);
      prove?.(user);
      expect(await stop(claim)).toMatchObject({ continues: false, code: 0, stderr: '' });
      expect(loopsOf(user)).toMatchObject([{ status: 'completed' }]);
    });

    it('waits for work in the background once, and then judges the stops beside it', async () => {
      const user = aUser({ [file]: text(9), 'talk.jsonl': '{"type":"user"}\n' });
      const stop = hookOf(user, name, { TIRELESS_HOOK_SECONDS: '2' });
      const more = {
        transcript_path: path.join(user.project, 'talk.jsonl'),
        background_tasks: [{ id: 'server', type: 'shell', status: 'running' }],
      };
      const before = count(user);
      const first = await stop('the server runs', more);
      expect(first).toMatchObject({ continues: true, stdout: expect.stringContaining(OUTLASTED) as string });
      expect(count(user)).toBe(before + 1);
      expect(loopsOf(user)).toMatchObject([{ outlasted: ['server'] }]);
      expect((await stop('mine is done', { session_id: 'session-2' })).stdout).not.toContain(OUTLASTED);
      const second = await stop('it runs on', more);
      expect(second.continues).toBe(true);
      expect(second.stdout).not.toContain(OUTLASTED);
      expect(count(user)).toBe(before + 2);
    });

    it('ends at its limit and reports it, also when the same words come again', async () => {
      const user = aUser({ [file]: text(2), 'talk.jsonl': '{"type":"user"}\n' });
      const stop = hookOf(user, name);
      const more = { transcript_path: path.join(user.project, 'talk.jsonl') };
      expect((await stop('not yet', more)).continues).toBe(true);
      const last = await stop('not yet', more);
      expect(last).toMatchObject({ continues: false, code: 0 });
      expect(JSON.parse(last.stdout)).toHaveProperty('systemMessage');
      expect(loopsOf(user)).toMatchObject([{ status: 'halted' }]);
    });

    it('lets the agent stop over a broken file, tells the user and keeps the file', async () => {
      const broken = '{"prompt": ---\n[half';
      const user = aUser({ [file]: broken });
      const { continues, code, stdout } = await hookOf(user, name)(claim);
      expect({ continues, code }).toEqual({ continues: false, code: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ systemMessage: expect.stringContaining(file) as string });
      expect(readFileSync(path.join(user.project, file), 'utf8')).toBe(broken);
      expect(loopsOf(user)).toEqual([]);
    });
  });
}
