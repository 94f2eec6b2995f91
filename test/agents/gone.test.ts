/** tireless was removed, or the Node that it ran on: the client works as without it, and /ralph is answered by one line instead of a model. */
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { hostsToTry } from './support/clients.ts';
import { loopWorld } from './support/host-suite.ts';
import type { HostOptions } from './support/host-suite.ts';
import { LAUNCHERS } from './support/launch/launchers.ts';
import { replaceInHooks } from '../support/stand-in-node.ts';

const OPTIONS: Readonly<Partial<Record<HostId, HostOptions>>> = {
  droid: { typed: (prompt) => ({ prompt, typed: true }) },
  opencode: {
    typed: (text) => {
      const [, name = '', prompt = ''] = /^\/([a-z-]+) ?([^]*)$/u.exec(text) ?? [];
      return { prompt, args: ['--command', name] };
    },
  },
};
/** Without their screen they print nothing of what a hook has to say. */
const SAYS_ON_SCREEN_ONLY: ReadonlySet<HostId> = new Set(['codex', 'qwen', 'droid']);

for (const { host, absent, title } of hostsToTry()) {
  it.skipIf(absent !== null)(`${title} starts and works without tireless, and /ralph asks no model`, async () => {
    const options = OPTIONS[host] ?? {};
    const world = await loopWorld(host, () => ({ text: 'a short answer' }), options);
    replaceInHooks(world.written, { 'hook.cjs': 'gone.cjs', '/plugins/': '/gone/' });
    // Changed hooks have to be trusted again.
    const { hookArgs = [] } = LAUNCHERS[host];
    const plain = await world.run({ prompt: 'what is this?', args: hookArgs });
    expect({ exitCode: plain.exitCode, asked: plain.requests.length }).toEqual({ exitCode: 0, asked: 1 });
    const typed = options.typed?.('/ralph "paint the shed"') ?? { prompt: '/ralph "paint the shed"' };
    const { requests, stdout, stderr } = await world.run({ ...typed, args: [...(typed.args ?? []), ...hookArgs] });
    expect(requests).toEqual([]);
    expect(`${stdout}\n${stderr}`).toContain(SAYS_ON_SCREEN_ONLY.has(host) ? '' : 'has moved');
    if (LAUNCHERS[host].addHooks !== undefined) return;
    // The shell of a hook looks for both; a plugin is found, and its Node is not.
    replaceInHooks(world.written, { '/gone/': '/plugins/', [process.execPath]: '/gone/node' });
    const withoutNode = await world.run(typed);
    expect(withoutNode.requests).toEqual([]);
    expect(`${withoutNode.stdout}\n${withoutNode.stderr}`).toContain('has moved');
  });
}

describe('the clients that were tried', () => {
  it('are all', () => {
    expect(hostsToTry().map(({ host }) => host)).toHaveLength(8);
  });
});
