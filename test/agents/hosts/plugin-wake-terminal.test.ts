/** Hosts whose plugin wakes the agent after a turn that failed: as a person sees it, in a terminal. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import type { Sitting } from '../support/sitting.ts';
import { asked, isLoop, sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const TEST_MS_MAX = 240_000;

for (const { host, absent } of hostsToTry(['opencode', 'pi'])) {
  const why = absent ?? noTerminal();
  const name = `${host}${why === null ? '' : ` (SKIPPED: ${why})`}`;
  describe.skipIf(why !== null)(`a turn that failed in a terminal of ${name}`, () => {
    it(
      'does not end the loop: the agent is brought back by itself, and the turn runs again under its number',
      async () => {
        let count = 0;
        const sitting: Sitting = await sitDown(host, () => {
          count += 1;
          // Of no class that a client or the loop waits out.
          if (count === 2) return { status: 400, message: 'the model cannot read this' };
          if (count > 2) writeFileSync(path.join(sitting.world.project, 'done.txt'), '');
          return { text: `part ${count} of it` };
        });
        await sitting.terminal.say('/ralph "paint the shed" --check "test -f done.txt"');
        await asked(sitting, 3);
        await isLoop(sitting, { status: 'completed', counted: 2, faults: 1 });
        expect(sitting.world.model.requests[2]?.news).toContain('This iteration runs again');
      },
      TEST_MS_MAX,
    );
  });
}
