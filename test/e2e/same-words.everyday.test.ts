/** An agent that says the same words again and again, and stops that two hooks report: real shells, guards and processes. */
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { aRepeatingAgent, isHeld, SILENT } from '../support/two-hooks.ts';

describe('the same words again and again', () => {
  it('are counted each time, as fast as they come, and the limit holds exactly', () => {
    const agent = aRepeatingAgent(5);
    const replies = Array.from({ length: 20 }, () => agent.stop(agent.words).stdout);
    expect(replies.filter((stdout) => stdout.includes('additionalContext'))).toHaveLength(4);
    expect(agent.loaded().state).toMatchObject({
      status: 'halted',
      counted: 5,
      outcome: { guard: 'iterations-max', limit: 5, actual: 5 },
    });
    const began = agent.entries().map(({ evidence }) => evidence.reporterBeganMs);
    // The start, the baseline and the first stop had nothing to compare with.
    expect(began.map((ms) => typeof ms)).toEqual([...Array(3).fill('undefined'), ...Array(4).fill('number')]);
    expect(replay(agent.entries()).differences).toEqual([]);
  });
});

describe('one stop that two hooks report', () => {
  it('is counted once, and only one of them sends the agent back', async () => {
    const agent = aRepeatingAgent(20);
    for (let stop = 1; stop <= 3; stop++) {
      const both = [agent.starts(agent.words), agent.starts(agent.words)];
      const said = await Promise.all(both.map(({ end }) => end));
      expect(said.filter(({ stdout }) => stdout.includes('additionalContext'))).toHaveLength(1);
      expect(said).toContainEqual(SILENT);
      expect(agent.loaded().state.counted).toBe(stop);
    }
  });

  it.runIf(process.platform === 'linux')(
    'is counted once, although one of them comes to work only when the other has answered, over a transcript that grew',
    async () => {
      const agent = aRepeatingAgent(20);
      for (let stop = 1; stop <= 2; stop++) {
        const late = agent.starts(agent.words, { after: 'kill -STOP $$' });
        await expect.poll(() => isHeld(late.pid)).toBe(true);
        expect(agent.stop(agent.words).stdout).toContain('additionalContext');
        agent.writeLate();
        process.kill(late.pid, 'SIGCONT');
        expect(await late.end).toEqual(SILENT);
        expect(agent.loaded().state.counted).toBe(stop);
      }
    },
  );
});
