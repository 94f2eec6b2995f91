/** Loops in the real client as a person uses it: in a terminal, with keys. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { breakJournal, loopWorld } from '../support/host-suite.ts';
import type { Sitting } from '../support/sitting.ts';
import { isLoop } from '../support/sitting.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const [client] = hostsToTry(['codex']);
const why = client?.absent ?? noTerminal();

async function sit(script: (world: () => LoopWorld) => Script): Promise<Sitting> {
  let made: LoopWorld | undefined;
  const world = await loopWorld(
    'codex',
    script(() => {
      if (made === undefined) throw new Error('the model was asked before the world was there');
      return made;
    }),
    { installWords: ['--trust'] },
  );
  made = world;
  const terminal = openTerminal(world);
  await terminal.shows(/Ask Codex|›/u);
  return { world, terminal };
}

describe.skipIf(why !== null)(`a loop in a terminal of codex${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
  it('takes $ralph and a slash behind a space, since the screen refuses slash commands that are not its own', async () => {
    const { world, terminal } = await sit((made) => ({ turn }) => {
      if (turn === 3) writeFileSync(path.join(made().project, 'done.txt'), '');
      return { text: `part ${turn} of it` };
    });
    await terminal.say('/ralph "paint the shed"');
    await terminal.shows("Unrecognized command '/ralph'");
    await terminal.rests();
    // Not C-c: where the line is gone already, it ends Codex. The cursor may stand at either end of what was put back.
    terminal.press('C-e');
    terminal.press('C-u');
    await terminal.rests();
    await terminal.say('$ralph "it\'s `the` $(rm -rf ~) shed 🧨" --check "test -f done.txt"');
    await isLoop({ world, terminal }, { status: 'completed', counted: 3 });
    await terminal.shows('part 3 of it');
    await terminal.shows('[tireless:3] "test -f done.txt" fails; continues with iteration 3 of 20.');
    expect(terminal.screen()).not.toContain('# Goal');
    expect(world.model.requests).toHaveLength(3);
    expect(world.model.requests[0]?.news).toContain("it's `the` $(rm -rf ~) shed 🧨");
    expect(readdirSync(world.project).toSorted()).toEqual(['.git', 'README.md', 'done.txt']);
    await terminal.say(' /ralph-status');
    await terminal.shows('no loop is open here. /ralph "goal" starts one');
    // The list of skills opens: the first Enter takes what it offers, the second one sends it.
    await terminal.say('$ralph-status');
    await expect.poll(terminal.screen, { timeout: 60_000 }).not.toContain('enter insert');
    terminal.press('Enter');
    await terminal.shows('no loop is open here. $ralph "goal" starts one');
    expect(world.model.requests).toHaveLength(3);
  });

  it('may stop when its journal is broken, and the screen shows it', async () => {
    const { world, terminal } = await sit((made) => () => {
      breakJournal(made());
      return { text: 'not yet' };
    });
    await terminal.say('$ralph "paint the shed"');
    await terminal.shows(/The agent was allowed\s+to stop/u);
    expect(world.model.requests).toHaveLength(1);
  });
});
