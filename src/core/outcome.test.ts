/** What the end of a loop says about how it came about. */
import { describe, expect, it } from 'vitest';
import { aResult } from '../../test/support/a-loop.ts';
import { after, ended, green, working } from '../../test/support/a-turn.ts';

describe('a completed loop', () => {
  it('names the checks that passed only when they were run again', () => {
    const checks = [aResult('unit', 'passed', { flaky: true })];
    expect(after(working, ended, { ...green, checks }).outcome).toMatchObject({ kind: 'completed', flaky: ['unit'] });
  });

  it('names none when all passed at once', () => {
    expect(after(working, ended, green).outcome).not.toHaveProperty('flaky');
  });
});
