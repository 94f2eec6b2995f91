/** A person in front of the real client decides about work that rests on a changed test. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import { HOSTS } from '../../../src/hosts/hosts.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';
import { isLoop } from '../support/sitting.ts';
import type { Terminal } from '../support/tmux.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const PROJECT = {
  'price.mjs': 'export const price = () => 3;\n',
  'price.test.mjs': `import assert from 'node:assert';
import test from 'node:test';
import { price } from './price.mjs';
test('is four', () => assert.equal(price(), 4));
`,
};
const EMPTIED = "import test from 'node:test';\ntest('is four', () => {});\n";
const READY: Partial<Record<HostId, RegExp>> = { 'claude-code': /❯/u, codex: /Ask Codex|›/u };

/** Codex opens a list of skills: the first Enter takes what it offers, the second one sends it. */
async function sayCommand(terminal: Terminal, host: HostId, command: string): Promise<void> {
  await terminal.rests();
  await terminal.say(`${HOSTS[host].capabilities.commandPrefix}${command}`);
  if (host !== 'codex' || command.includes(' ')) return;
  await expect.poll(terminal.screen, { timeout: 60_000 }).not.toContain('enter insert');
  terminal.press('Enter');
}

for (const { host, absent } of hostsToTry(['claude-code', 'codex'])) {
  const why = absent ?? noTerminal();
  describe.skipIf(why !== null)(`the judge's files in ${host}${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
    it('are shown to the user, who sends the agent back once and accepts the second time', async () => {
      const world = await loopWorld(
        host,
        ({ turn }) =>
          turn === 1
            ? { write: { path: path.join(world.project, 'price.test.mjs'), content: EMPTIED } }
            : { text: `It is right, part ${turn}.` },
        host === 'codex' ? { installWords: ['--trust'] } : {},
        PROJECT,
      );
      const terminal = openTerminal(world);
      await terminal.shows(READY[host] ?? /./u);
      await sayCommand(terminal, host, 'ralph "make the tests pass" --check "node --test" --max-no-progress unlimited');
      const waits = { status: 'paused', pause: { cause: 'review' } };
      await isLoop({ world, terminal }, waits);
      const { loop } = world.onlyLoop();
      await terminal.shows(new RegExp(`tireless\\s+approve\\s+${loop}`, 'u'));
      await sayCommand(terminal, host, 'ralph-reject the test is right, the price is not');
      await expect.poll(() => world.model.requests.at(-1)?.news, { timeout: 60_000 }).toContain('the price is not');
      await isLoop({ world, terminal }, waits);
      await sayCommand(terminal, host, 'ralph-approve');
      await isLoop({ world, terminal }, { status: 'completed', outcome: { verified: true, level: 'approval' } });
      await terminal.shows('you approved');
    });
  });
}
