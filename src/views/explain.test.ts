import { describe, expect, it } from 'vitest';
import { aDriver, aStage } from '../../test/support/a-drive.ts';
import { aCheck, aSpec, aState } from '../../test/support/a-loop.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { scriptedAgent } from '../../test/support/scripted-agent.ts';
import type { CheckAnswer } from '../core/evidence.ts';
import type { Entry } from '../core/journal.ts';
import { loopOf, replay } from '../core/journal.ts';
import { explainEntries, paragraphText } from './explain.ts';
import { replayReport } from './replay-report.ts';

/** A loop whose agent claims too early, breaks a check, and repairs it. */
async function aJournal(): Promise<readonly Entry[]> {
  const clock = fakeClock();
  const answers: CheckAnswer[] = ['passed', 'failed', 'failed', 'passed'];
  const stage = await aStage({
    clock,
    spec: { checks: [aCheck('unit')], goal: 'Do \u001B[31mit' },
    check: () => answers.shift() ?? 'passed',
  });
  const agent = scriptedAgent(clock, () => ({ message: 'Done.\n\n<promise>DONE</promise>', workMs: 1000 }));
  await clock.advanceUntil(aDriver(stage, clock, agent).end);
  return stage.entries();
}

describe('explainEntries', () => {
  it('tells a refused claim with its evidence, its limits and its decision', async () => {
    const told = explainEntries(await aJournal()).map((paragraph) => paragraphText(paragraph).join('\n'));
    const refused = told.find((text) => text.includes('refused')) ?? '';
    expect(refused).toContain('iteration 1');
    expect(refused).toContain('The agent ended its turn.');
    expect(refused).toContain('check "unit" failed (exit 1, 100ms, regressed: it passed at the start)');
    expect(refused).toContain('the agent claimed DONE, which was refused: a claim is not proof');
    expect(refused).toContain("- the agent's last words: Done.");
    expect(refused).toContain('1 of 20 iterations');
    expect(refused).toContain('=> continue with iteration 2: 1 check passed at the start and fails now: unit.');
    expect(told.at(-2)).toContain('=> completed, verified (work tree only): check "unit" passed');
  });

  it('tells a wait that ended in time from one that the host did not wait out', async () => {
    const waited = (because: { readonly because?: 'agent-works' }): string => {
      const last = entries.slice(-1).map((entry) => ({ ...entry, event: { kind: 'wait-ended', ...because } as const }));
      return explainEntries([...entries.slice(0, -1), ...last])
        .slice(-1)
        .flatMap(paragraphText)
        .join(' ');
    };
    const entries = await aJournal();
    expect(waited({})).toContain('The wait is over');
    expect(waited({ because: 'agent-works' })).toContain('its host continued by itself');
  });

  it('has a paragraph for every entry, and nothing in it drives the terminal', async () => {
    const entries = await aJournal();
    const paragraphs = explainEntries(entries);
    expect(paragraphs.map(({ revision }) => revision)).toEqual(entries.map(({ revision }) => revision));
    expect(JSON.stringify(paragraphs)).not.toContain('\\u001b');
  });
});

describe('replayReport', () => {
  const theLoop = loopOf(aSpec(), aState({ loop: 'a-loop' }));

  it('says that an honest journal comes out the same', async () => {
    const entries = await aJournal();
    const { differences } = replay(entries);
    expect(replayReport(theLoop, entries.length, differences)).toEqual([
      `Replay of a-loop: ${entries.length} entries, the chain is intact, every decision is the same.`,
    ]);
  });

  it('says what a changed decision was and what it would be', async () => {
    const entries = (await aJournal()).map((entry) =>
      entry.decision.kind === 'complete' ? { ...entry, decision: { ...entry.decision, verified: false } } : entry,
    );
    const report = replayReport(theLoop, entries.length, replay(entries).differences).join('\n');
    expect(report).toContain('1 decided differently');
    expect(report).toContain('recorded:   completed, unverified');
    expect(report).toContain('recomputed: completed, verified');
  });
});
