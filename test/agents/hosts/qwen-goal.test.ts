/** The goal that Qwen Code itself pursues, beside a loop of ours. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';
import { asked, sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const [client] = hostsToTry(['qwen']);
const why = noTerminal();
const CHECK = '--check "test -f done.txt"';
const GOAL = '/goal the shed is painted';

describe.skipIf(client?.absent !== null)(`the native goal of ${client?.title}`, () => {
  it('keeps a loop from being started beside it while it is active, unless the loop only watches', async () => {
    let isHanging = true;
    const world = await loopWorld('qwen', () => (isHanging ? { hang: true } : { text: 'It is painted, I think.' }));
    const first = world.start({ prompt: GOAL });
    await expect.poll(() => world.model.requests.length, { timeout: 60_000, interval: 100 }).toBe(1);
    // A goal that was going on when its program was killed is active still.
    first.kill('SIGKILL');
    const resume = world.sessionOf(await first.done);
    isHanging = false;
    await world.type(`/ralph "paint the shed" ${CHECK}`, { resume });
    expect(world.loops()).toEqual([]);
    await world.type(`/ralph "paint the shed" ${CHECK} --observe`, { resume });
    expect(world.loops()).toHaveLength(1);
  });

  it.skipIf(why !== null)(
    `is reported on the screen when it begins after a loop${why === null ? '' : ` (SKIPPED: ${why})`}`,
    async () => {
      let asks = 0;
      const sitting = await sitDown('qwen', () => (++asks === 2 ? { hang: true } : { text: `part ${asks}` }));
      await sitting.terminal.say(`/ralph "paint the shed" ${CHECK} --max-iterations 3`);
      await asked(sitting, 2);
      sitting.terminal.press('Escape');
      await sitting.terminal.shows('Request cancelled');
      await sitting.terminal.say(GOAL);
      await sitting.terminal.shows('a goal of Qwen Code itself (/goal) also keeps this session going');
      const folder = path.join(sitting.world.tirelessHome, 'loops', sitting.world.onlyLoop().loop);
      expect(readdirSync(folder).filter((name) => name.startsWith('noted-'))).toHaveLength(1);
    },
  );
});
