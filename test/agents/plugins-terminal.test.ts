/** The skills of the Codex plugin, as a person finds them: on the screen. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/setup/fake-model/script.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { AgentWorld } from './support/agent-world.ts';
import { agentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn, NASTY } from './support/host-suite.ts';
import { addCodexPlugin, trustOnScreen } from './support/plugin-install.ts';
import type { Terminal } from './support/tmux.ts';
import { noTerminal } from './support/tmux.ts';

const [client] = hostsToTry(['codex']);
const why = client?.absent ?? noTerminal();
const WAIT = { timeout: 60_000, interval: 100 };

async function sit(script: Script): Promise<{ readonly world: AgentWorld; readonly terminal: Terminal }> {
  const world = await agentWorld('codex', script);
  addCodexPlugin(world);
  return { world, terminal: await trustOnScreen(world) };
}

/** The first Enter takes what the list of skills offers, the second one sends it. */
async function pick(terminal: Terminal, skill: string): Promise<void> {
  await terminal.say(`$${skill}`);
  await terminal.shows(new RegExp(`› \\$tireless:${skill}\\s*$`, 'mu'));
  terminal.press('Enter');
}

describe.skipIf(why !== null)(`the plugin of codex in a terminal${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
  it('is offered at the $, takes a nasty goal byte for byte, and continues until the check passes', async () => {
    const { world, terminal } = await sit(({ turn }) => {
      if (turn === 2) writeFileSync(path.join(world.project, 'done.txt'), '');
      return { text: `part ${turn} of it\n<promise>DONE</promise>` };
    });
    await terminal.paste('$ralph');
    for (const name of ['ralph', 'ralph-status', 'ralph-help', 'cancel-ralph'])
      await terminal.shows(`${name} (tireless)`);
    await terminal.paste(` "${NASTY}" --check "test -f done.txt" --claim DONE`);
    terminal.press('Enter');
    const ended = (): unknown => loopsIn(world).find(({ status }) => status !== 'cancelled');
    await expect.poll(ended, WAIT).toMatchObject({ status: 'completed', outcome: { verified: true }, counted: 2 });
    const store = openFileStore({ home: world.tirelessHome });
    expect(store.list({ ended: 'both' }).map(({ spec }) => spec.goal)).toContain(NASTY);
    store.close();
    expect(readdirSync(world.project).toSorted()).toEqual(['.git', 'README.md', 'done.txt']);
    // The list of skills that the model reads has none of ours in it.
    expect(world.model.requests[0]?.news).toContain('skill-creator');
    expect(world.model.requests[0]?.news).not.toContain('(tireless)');
  });

  it('answers the help, the status and the end of a loop on the screen, and asks no model', async () => {
    const { world, terminal } = await sit(({ turn }) =>
      turn > 1 ? { status: 400, message: 'The request is not valid.' } : { text: 'not yet' },
    );
    await pick(terminal, 'ralph-help');
    await terminal.shows('$tireless:cancel-ralph');
    await pick(terminal, 'ralph-status');
    await terminal.shows('no loop is open here. $tireless:ralph "goal" starts one');
    await terminal.say('$ralph "paint the shed"');
    await terminal.shows('The request is not valid.');
    await pick(terminal, 'cancel-ralph');
    await terminal.shows('was cancelled after 1 iteration;');
    expect(loopsIn(world).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(world.model.requests).toHaveLength(2);
  });
});
