/** Loops in the real client as a person uses it: in a terminal, with keys. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { hostsToTry } from '../support/clients.ts';
import { isLoop, sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const NASTY = 'Fix the "cart" —   it\'s `broken` $(rm -rf ~) & $HOME \\ %PATH% 🧨 <b>; exit 1';
const [client] = hostsToTry(['droid']);
const why = client?.absent ?? noTerminal();

describe.skipIf(why !== null)(`a loop in a terminal of droid${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
  it('takes a nasty goal byte for byte, continues until the check passes, and answers /ralph-status without the model', async () => {
    const sitting = await sitDown('droid', ({ turn }) => {
      if (turn === 3) writeFileSync(path.join(sitting.world.project, 'done.txt'), '');
      return { text: `part ${turn} of it` };
    });
    const { world, terminal } = sitting;
    await terminal.say(`/ralph "${NASTY}" --check "test -f done.txt"`);
    await isLoop(sitting, { status: 'completed', counted: 3 });
    await terminal.shows('part 3 of it');
    expect(world.model.requests).toHaveLength(3);
    const store = openFileStore({ home: world.tirelessHome });
    expect(store.list({ ended: 'both' }).map(({ spec }) => spec.goal)).toEqual([NASTY]);
    store.close();
    // Last: what was refused comes back into the box for the next line.
    await terminal.say('/ralph-status');
    await terminal.shows('no loop is open here');
    expect(world.model.requests).toHaveLength(3);
  });
});
