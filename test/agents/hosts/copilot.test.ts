import { expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { breakJournal, hostSuite, loopWorld, shownTo } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

// No field of a reply to a stop reaches the user, on the screen or off it.
hostSuite('copilot', { handedOverAfter: 8, saysOnScreenOnly: true });
toolSuite('copilot', { handedOverAfter: 8, saysOnScreenOnly: true });

const [entry] = hostsToTry(['copilot']);

it.skipIf(entry?.absent !== null)(
  `the agent of ${entry?.title ?? ''} is asked to tell the user of a broken journal, at the next prompt`,
  async () => {
    const world = await loopWorld('copilot', ({ turn }) => {
      if (turn === 1) breakJournal(world);
      return { text: 'not yet' };
    });
    const first = await world.type('/ralph "never done"');
    const again = await world.run({ prompt: 'and now?', resume: world.sessionOf(first) });
    expect(again.requests).toHaveLength(1);
    expect(shownTo(again)).toContain('Tell the user this first, word for word: tireless: JOURNAL_BROKEN');
  },
);

it.skipIf(entry?.absent !== null)(
  `${entry?.title ?? ''} answers /ralph-status by itself: no model is asked, and it is no failure`,
  async () => {
    const world = await loopWorld('copilot', () => ({ text: 'not asked' }));
    const { exitCode, stdout, requests } = await world.type('/ralph-status');
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(stdout).toContain('no loop is open here');
  },
);
