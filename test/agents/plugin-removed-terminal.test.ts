/** A plugin that the user removes while a session is open: its loop ends on the screen, and the agent works on as if it had never been there. */
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { agentWorld, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn } from './support/host-suite.ts';
import { addCodexPlugin, clientCommand, PLUGINS, trustOnScreen, useOnce } from './support/plugin-install.ts';
import { noTerminal, openTerminal, type Terminal } from './support/tmux.ts';

type Way = {
  readonly host: HostId;
  readonly command: string;
  readonly open: (world: AgentWorld) => Promise<Terminal>;
  readonly removal: readonly string[];
  /** What the screen shows then. */
  readonly word: string;
};

const WAIT = { timeout: 60_000, interval: 100 };
const WAYS: readonly Way[] = [
  {
    host: 'claude-code',
    command: '/tireless:ralph',
    open: async (world) => {
      clientCommand(world, 'plugin', 'marketplace', 'add', `${PLUGINS}/claude-code`);
      clientCommand(world, 'plugin', 'install', 'tireless@tireless');
      return opened(world);
    },
    removal: ['plugin', 'uninstall', 'tireless@tireless'],
    word: 'tireless: its plugin was uninstalled, so no loop continues in this session.',
  },
  {
    host: 'codex',
    command: '$ralph',
    open: async (world) => {
      addCodexPlugin(world);
      return trustOnScreen(world);
    },
    removal: ['plugin', 'remove', 'tireless@tireless'],
    // It removes the folder that a hook is started in, so no hook of ours can say more.
    word: 'Hook failed',
  },
  {
    host: 'gemini',
    command: '/ralph',
    open: async (world) => {
      useOnce(world);
      clientCommand(world, 'extensions', 'install', `${PLUGINS}/gemini`, '--consent');
      return opened(world);
    },
    removal: ['extensions', 'uninstall', 'tireless'],
    word: 'tireless: its plugin was removed, so no loop continues in this session.',
  },
];

async function opened(world: AgentWorld): Promise<Terminal> {
  const terminal = openTerminal(world);
  await terminal.shows(/./u);
  await terminal.rests();
  return terminal;
}

for (const { host, command, open, removal, word } of WAYS) {
  const [client] = hostsToTry([host]);
  const why = client?.absent ?? noTerminal();
  const title = why === null ? client?.title : `${host} (SKIPPED: ${why})`;
  describe.skipIf(why !== null)(`the plugin of ${title}, removed while its loop runs`, () => {
    it('ends the loop of the open session with a word on the screen, and the agent takes the next message', async () => {
      const world = await agentWorld(host, ({ turn }) => {
        if (turn === 2) clientCommand(world, ...removal);
        return { text: `said ${turn}` };
      });
      const terminal = await open(world);
      await terminal.say(`${command} "paint the shed" --check "test -f done.txt"`);
      await terminal.shows(word);
      await terminal.rests();
      await terminal.say('hello there');
      await terminal.shows('said 3');
      await expect.poll(() => world.model.requests.length, WAIT).toBe(3);
      expect(loopsIn(world).filter((loop) => loop.status === 'running')).toMatchObject([{ counted: 1 }]);
    });
  });
}
