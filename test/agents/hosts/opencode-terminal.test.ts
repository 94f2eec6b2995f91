import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const [{ absent, title } = { absent: 'unknown', title: 'opencode' }] = hostsToTry(['opencode']);
const missing = absent ?? noTerminal();
const SLOW = { timeout: 60_000 };
/** Three times that, and a start of the client. */
const TEST_MS_MAX = 240_000;

describe.skipIf(missing !== null)(
  `a loop in a terminal of ${title}${missing === null ? '' : ` (SKIPPED: ${missing})`}`,
  () => {
    it(
      'answers a command without the model, loops until the claim, and leaves a clean screen',
      async () => {
        const { world, terminal } = await sitDown('opencode', ({ turn }) => ({
          text: turn < 3 ? `part ${turn}, not yet` : 'All of it.\n<promise>DONE</promise>',
        }));
        // The first Enter takes it from the list of commands.
        await terminal.say('/ralph-status');
        terminal.press('Enter');
        await terminal.shows('no loop is open here');
        expect(world.model.requests).toEqual([]);
        await terminal.say('/ralph "paint the shed"');
        await expect.poll(() => world.loops(), SLOW).toMatchObject([{ status: 'completed', counted: 3 }]);
        await terminal.shows('All of it.');
        await expect.poll(() => terminal.screen(), SLOW).not.toMatch(/interrupt|looks at the work/u);
      },
      TEST_MS_MAX,
    );
  },
);
