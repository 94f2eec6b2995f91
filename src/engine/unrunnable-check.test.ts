import { describe, expect, it } from 'vitest';
import { aDriver, aStage } from '../../test/support/a-drive.ts';
import { aCheck, aResult } from '../../test/support/a-loop.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { scriptedAgent } from '../../test/support/scripted-agent.ts';
import type { Control } from './ports.ts';
import { cancellingUnrunnable } from './unrunnable-check.ts';

describe('cancellingUnrunnable', () => {
  it('ends a loop at its baseline when a check cannot be run, before any agent starts', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, spec: { checks: [aCheck('nosuch')] }, check: () => 'unknown' });
    const blind: Control = {
      ...stage.control,
      post: async (loop, event, report) => {
        const handled = await stage.control.post(loop, event, report);
        const checks = handled.evidence?.checks?.map(({ name }) =>
          aResult(name, 'unknown', { unknown: 'not-runnable', tail: 'not found' }),
        );
        return checks === undefined || handled.evidence === undefined
          ? handled
          : { ...handled, evidence: { ...handled.evidence, checks } };
      },
    };
    const agent = scriptedAgent(clock, () => ({}));
    const found: string[] = [];
    const control = cancellingUnrunnable(blind, ({ name, tail }) => found.push(name, tail));
    const end = await clock.advanceUntil(aDriver({ ...stage, control }, clock, agent).end);
    expect(found).toEqual(['nosuch', 'not found']);
    expect(end.loaded.state.status).toBe('cancelled');
    expect(end.loaded.state.outcome).toEqual({ kind: 'cancelled', because: 'start-failed' });
    expect(agent.delivered).toEqual([]);
  });
});
