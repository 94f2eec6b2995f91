/** The same as every day, often and on a machine that has more to do than it can. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DIALECT_CASES, hookOf, loopsOf } from '../support/dialect-hooks.ts';
import { aUser } from '../support/run-cli.ts';
import { aRepeatingAgent, SILENT } from '../support/two-hooks.ts';

const PAIRS = 50;

describe('one stop that two hooks report', () => {
  it.each([
    ['a quiet', 0],
    ['a busy', availableParallelism() * 2],
  ])('is counted once, each of fifty times, on %s machine', async (_machine, others) => {
    for (let other = 0; other < others; other++) {
      const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
      onTestFinished(() => void busy.kill('SIGKILL'));
    }
    const agent = aRepeatingAgent(PAIRS + 1);
    for (let stop = 1; stop <= PAIRS; stop++) {
      const said = await Promise.all([agent.starts(agent.words).end, agent.starts(agent.words).end]);
      expect(said).toContainEqual(SILENT);
      expect(said.filter(({ stdout }) => stdout.includes('additionalContext'))).toHaveLength(1);
      expect(agent.loaded().state.counted).toBe(stop);
    }
  });
});

describe.each(DIALECT_CASES)('$name', ({ name, file, text }) => {
  it('counts the same words each time, as fast as they come: the limit holds exactly', async () => {
    const user = aUser({ [file]: text(5), 'talk.jsonl': '{"type":"user"}\n' });
    const stop = hookOf(user, name);
    const more = { transcript_path: path.join(user.project, 'talk.jsonl') };
    const continues: boolean[] = [];
    for (let time = 1; time <= 20; time++) continues.push((await stop('not yet', more)).continues);
    expect(continues).toEqual([...Array<boolean>(4).fill(true), ...Array<boolean>(16).fill(false)]);
    expect(loopsOf(user)).toMatchObject([{ status: 'halted', outcome: { guard: 'iterations-max' } }]);
  });
});
