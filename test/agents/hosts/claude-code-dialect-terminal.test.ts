/** Two sessions of the real client beside one state file: the user interrupts the first, and begins again in the second. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { asked, sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const FILE = '.stravinsky/continuation-loop.md';
const TEXT = '---\niteration_count: 1\nmax_iterations: 5\ncompletion_promise: all green\nactive: true\n---\nmake it\n';

const [client] = hostsToTry(['claude-code']);
const why = client?.absent ?? noTerminal();

describe.skipIf(why !== null)(
  `a state file beside two sessions of claude-code${why === null ? '' : ` (SKIPPED: ${why})`}`,
  () => {
    it('is a new loop of the second session when it is written again after Esc in the first', async () => {
      let asks = 0;
      const sitting = await sitDown(
        'claude-code',
        () => {
          asks += 1;
          if (asks === 2) return { hang: true };
          return { text: asks < 4 ? `not yet (${asks})` : 'It is all green now' };
        },
        (world) => {
          const { exitCode } = world.tireless(
            'install',
            'claude-code',
            '--project',
            '--dialect',
            'stravinsky',
            '--yes',
          );
          expect(exitCode).toBe(0);
          world.tireless('start', 'make it', '--dialect', 'stravinsky', '--claim', 'all green');
          writeFileSync(path.join(world.project, FILE), TEXT);
        },
      );
      const { terminal, world } = sitting;
      const file = path.join(world.project, FILE);
      await terminal.say('make it');
      await asked(sitting, 2);
      terminal.press('Escape');
      await terminal.shows(/[Ii]nterrupted/u);
      expect(readFileSync(file, 'utf8')).toContain('iteration_count: 2');
      const first = world.loops().map(({ session }) => session?.id);
      rmSync(file);
      writeFileSync(file, TEXT);

      expectSuccess(await world.run({ prompt: 'make it' }));
      const loops = world.loops().toSorted((a, b) => a.status.localeCompare(b.status));
      expect(loops).toMatchObject([
        { status: 'cancelled', outcome: { because: 'file-removed' } },
        { status: 'completed', counted: 2 },
      ]);
      expect(loops.map(({ session }) => session?.id).indexOf(first[0])).toBe(0);
    });
  },
);
