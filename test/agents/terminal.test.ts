import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { recorded, recordEvents } from './support/recording.ts';
import { noTerminal, openTerminal } from './support/tmux.ts';

const READY = { 'claude-code': /❯|>/u, codex: /›|▌|send/u };
const GO_ON = JSON.stringify({ decision: 'block', reason: 'Go on: the tests do not pass yet.' });
const WAIT = { timeout: 60_000, interval: 100 };
const bare = noTerminal();

for (const { host, absent, title } of hostsToTry(['claude-code', 'codex'])) {
  const why = absent ?? bare;
  describe.skipIf(why !== null)(`real ${why === null ? title : `${host} (SKIPPED: ${why})`}, in a terminal`, () => {
    it('takes a line, uses a tool, is sent back once by its stop hook, and waits for the next line', async () => {
      const file = (): string => path.join(world.project, 'made.txt');
      const world = await agentWorld(host, ({ turn }) =>
        turn === 1 ? { write: { path: file(), content: 'made\n' } } : { text: `These are words number ${turn}.` },
      );
      recordEvents(world, ['Stop'], { Stop: [GO_ON] });
      const terminal = openTerminal(world, { args: world.launcher.hookArgs ?? [] });
      await terminal.shows(READY[host as keyof typeof READY]);
      await terminal.say('make the file');
      await terminal.shows('These are words number 3.');
      expect(existsSync(file())).toBe(true);
      await expect
        .poll(() => recorded(world).map(({ payload }) => payload['stop_hook_active']), WAIT)
        .toEqual([false, true]);
      await terminal.say('and once more');
      await terminal.shows('These are words number 4.');
      expect(world.model.requests.at(-1)?.news).toContain('and once more');
    });
  });
}
