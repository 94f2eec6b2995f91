import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { breakJournal, hostSuite, loopWorld, shownTo } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

// No field of a reply to a stop reaches the user, on the screen or off it.
hostSuite('copilot', { handedOverAfter: 8, saysOnScreenOnly: true, resumesAtOnce: true });
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

it.skipIf(entry?.absent !== null)(
  `${entry?.title ?? ''} is believed although it does not get to write its transcript for seconds`,
  async () => {
    const world = await loopWorld('copilot', () => ({ text: 'All is well.\n<promise>DONE</promise>' }));
    // As on a machine that is too busy: the client stands still while its hook runs already.
    const file = path.join(world.home, '.copilot/hooks/tireless.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: { Stop: { bash: string }[] } };
    for (const hook of settings.hooks.Stop)
      hook.bash = `kill -STOP $PPID; (sleep 4; kill -CONT $PPID) >/dev/null 2>&1 </dev/null & ${hook.bash}`;
    writeFileSync(file, JSON.stringify(settings));
    await world.type('/ralph "paint the shed"');
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1 });
  },
);
