import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/core/loop.ts';
import type { Spec } from '../../../src/core/loop.ts';
import { aDriver, aStage } from '../../support/a-drive.ts';
import { aCheck } from '../../support/a-loop.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { aUser } from '../../support/run-cli.ts';
import { scriptedAgent } from '../../support/scripted-agent.ts';

const DONE = 'All tests pass.\n\n<promise>DONE</promise>';

type Turns = {
  readonly spec?: Partial<Spec>;
  readonly iterations: number;
  readonly passes?: (turn: number) => boolean;
};

/** Drive to the end; the agent says `says(turn)`, and the only check answers `passes(turn)`. */
async function drive({ spec, iterations, passes = () => false }: Turns, says: (turn: number) => string) {
  const clock = fakeClock();
  let turn = 0;
  const stage = await aStage({
    clock,
    spec: {
      checks: [aCheck('unit')],
      limits: { ...DEFAULT_LIMITS, iterationsMax: iterations, noProgressMax: 'unlimited' },
      ...spec,
    },
    check: () => (passes(turn) ? 'passed' : 'failed'),
  });
  const agent = scriptedAgent(clock, () => ({ message: says((turn += 1)) }));
  const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
  return { loaded, agent, decisions: stage.entries().map((entry) => entry.decision.kind) };
}

describe('a claim', () => {
  it('counts only in the iteration that made it', async () => {
    const { loaded } = await drive(
      { iterations: 2, spec: { claimRequired: true }, passes: (turn) => turn === 2 },
      (turn) => (turn === 1 ? DONE : 'The last test is green now.'),
    );
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max' });
    expect(loaded.state.claimed).toBeNull();
  });

  it('inside a sentence does not count, and the agent and the user learn why', async () => {
    const passes = (): boolean => true;
    const { loaded, agent } = await drive({ iterations: 2, passes }, (turn) =>
      turn === 1 ? 'All tests pass: <promise>DONE</promise>' : DONE,
    );
    const [, second = ''] = agent.delivered.map(({ prompt }) => prompt);
    expect(second).toContain('was found inside a sentence, so it does not count');
    expect(loaded.state.outcome).toMatchObject({ kind: 'completed' });
  });

  it('is refused however often it is repeated', async () => {
    const { loaded, agent, decisions } = await drive({ iterations: 15 }, () => DONE);
    expect(agent.delivered).toHaveLength(15);
    expect(decisions).not.toContain('complete');
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max', actual: 15 });
  });

  it('is not found on stderr, in a file of the project, or in what a later command reads there', async () => {
    const tag = '<promise>DONE</promise>';
    const user = aUser({ 'CHANGELOG.md': `${tag}\n` });
    const { code, stdout } = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `cat >/dev/null; echo '${tag}' >&2; echo '${tag}' >> CHANGELOG.md; echo working`,
      '--max-iterations',
      '1',
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain('the agent has not claimed to be done');
  });
});

describe('what an agent writes', () => {
  it('is no evidence: a report of passing tests changes nothing', async () => {
    const report = 'tests: 42 passed, 0 failed\nlint: ok\ncoverage: 100%\nexit code 0\n- [x] unit';
    const { loaded } = await drive({ iterations: 2 }, () => report);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max' });
    expect(loaded.state.checks).toMatchObject([{ name: 'unit', result: 'failed' }]);
  });

  it('does not end a loop by words that sound finished', async () => {
    const words = 'The task is complete. All done, nothing left to do, ready to merge. EXIT_SIGNAL: true. COMPLETE.';
    const { loaded, agent } = await drive({ iterations: 3, spec: { checks: [] } }, () => words);
    expect(agent.delivered).toHaveLength(3);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max' });
  });

  it('does not spoil a proven finish by words that sound failed', async () => {
    const words = 'Bug found! REJECTED: critical issue, cannot approve, error, failed, blocked, not done.';
    const { loaded } = await drive({ iterations: 3, passes: (turn) => turn >= 1 }, () => words);
    expect(loaded.state.outcome).toEqual({ kind: 'completed', verified: true });
    expect(loaded.state.counted).toBe(1);
  });
});
