/** `install --on-demand`: the stop hook is in the settings only while a loop is armed. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { State } from '../../../src/core/loop.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const [entry] = hostsToTry(['claude-code']);
const absent = entry?.absent ?? null;
const bare = noTerminal();
const THINKING_MS = 4000;
const options = { installWords: ['--on-demand'] };

describe.skipIf(absent !== null)(`hooks on demand in ${entry?.title}`, () => {
  it('refuses a loop without a screen, where the client reads its settings once, and asks no model', async () => {
    const world = await loopWorld('claude-code', () => ({ text: 'not yet' }), options);
    const result = await world.type('/ralph "never done"');
    expect(result.stdout).toContain('without --on-demand');
    expect(result.requests).toEqual([]);
    expect(world.loops()).toEqual([]);
  });

  it.skipIf(bare !== null)(
    `comes with the loop and goes with it, in a terminal${bare === null ? '' : ` (SKIPPED: ${bare})`}`,
    async () => {
      const world = await loopWorld(
        'claude-code',
        async ({ turn }) => {
          // A model thinks for longer than the client takes to notice changed settings; ours has to be slowed down.
          if (turn === 1 || turn === 5) await setTimeout(THINKING_MS);
          return { text: [4, 7].includes(turn) ? 'x\n<promise>DONE</promise>' : `not yet, ${turn}` };
        },
        options,
      );
      const settings = path.join(world.project, '.claude/settings.local.json');
      const hooks = (): string => (existsSync(settings) ? readFileSync(settings, 'utf8') : '');
      expect(hooks()).not.toContain('"Stop"');
      const terminal = openTerminal(world);
      await terminal.shows(/❯|>/u);
      await terminal.say('/ralph "count to four" --max-no-progress unlimited');
      await expect.poll(() => world.loops()[0]?.status, { timeout: 30_000 }).toBe('completed');
      expect(world.onlyLoop().counted).toBe(4);
      const first = world.onlyLoop().loop;
      await expect.poll(hooks, { timeout: 20_000 }).not.toContain('"Stop"');
      // The same session hears the stops of its next loop too.
      await terminal.rests();
      await terminal.say('/ralph "once more" --max-no-progress unlimited');
      const second = (): State | undefined => world.loops().find(({ loop }) => loop !== first);
      await expect.poll(() => second()?.status, { timeout: 60_000 }).toBe('completed');
      expect(second()?.counted).toBe(3);
    },
  );
});
