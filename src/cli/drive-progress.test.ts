import { describe, expect, it } from 'vitest';
import { aDriver, aStage } from '../../test/support/a-drive.ts';
import { aCheck } from '../../test/support/a-loop.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { scriptedAgent } from '../../test/support/scripted-agent.ts';
import type { Progress } from '../terminal/display.ts';
import { observedControl } from './drive-progress.ts';
import { endReport } from './end-report.ts';

describe('observedControl', () => {
  it('tells iterations and decisions in their order, with the evidence', async () => {
    const clock = fakeClock();
    const stage = await aStage({
      clock,
      spec: { checks: [aCheck('unit')] },
      check: () => (agent.delivered.length > 1 ? 'passed' : 'failed'),
    });
    const agent = scriptedAgent(clock, () => ({ message: 'working' }));
    const seen: Progress[] = [];
    const control = observedControl(stage.control, (progress) => seen.push(progress));
    const end = await clock.advanceUntil(aDriver({ ...stage, control }, clock, agent).end);
    expect(
      seen.map((progress) =>
        progress.kind === 'decided' ? `${progress.event.kind}: ${progress.decision.kind}` : progress.kind,
      ),
    ).toEqual([
      'worker-leased: record',
      'baseline-taken: continue',
      'iteration-began',
      'turn-ended: continue',
      'iteration-began',
      'turn-ended: complete',
      'worker-released: record',
    ]);
    expect(endReport(end.loaded, { interrupted: false })[0]).toBe(
      'completed, verified (work tree only); 1 check passed: unit',
    );
  });
});
