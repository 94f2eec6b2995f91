import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/core/loop.ts';
import type { CheckAnswer } from '../../../src/core/evidence.ts';
import { aDriver, aStage } from '../../support/a-drive.ts';
import { aCheck } from '../../support/a-loop.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { scriptedAgent } from '../../support/scripted-agent.ts';

type Story = {
  readonly workspace: (turn: number) => string;
  readonly check: (name: string, turn: number) => CheckAnswer;
  readonly message: (turn: number) => string;
};

async function drive({ workspace, check, message }: Story) {
  const clock = fakeClock();
  let turn = 0;
  const stage = await aStage({
    clock,
    spec: {
      checks: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => aCheck(name)),
      limits: { ...DEFAULT_LIMITS, iterationsMax: 12 },
    },
    check: (name) => check(name, turn),
    workspace: () => workspace(turn),
  });
  const agent = scriptedAgent(clock, () => ({ message: message((turn += 1)) }));
  return (await clock.advanceUntil(aDriver(stage, clock, agent).end)).loaded.state;
}

describe('a stalled loop', () => {
  it('is not one that changes no file and says the same, while ever fewer checks fail', async () => {
    const state = await drive({
      workspace: () => 'the same',
      message: () => 'Working on it.',
      check: (name, turn) => ('abcdef'.indexOf(name) < turn ? 'passed' : 'failed'),
    });
    expect(state.outcome).toEqual({ kind: 'completed', verified: true });
    expect(state.counted).toBe(6);
  });

  it('is one that has new commits and new words, while every check fails the same', async () => {
    const state = await drive({
      workspace: (turn) => `commit ${turn}`,
      message: (turn) => `Approach ${turn}: ${'rewrote another part of the parser '.repeat(turn)}`,
      check: () => 'failed',
    });
    expect(state.outcome).toMatchObject({ kind: 'halted', guard: 'no-progress' });
    expect(state.counted).toBeLessThan(12);
  });
});
