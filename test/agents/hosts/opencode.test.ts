/* oxlint-disable vitest/no-disabled-tests -- A client that is not there is a skipped test with the reason in its title. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { hostsToTry } from '../support/clients.ts';
import { hostSuite, loopWorld, NASTY } from '../support/host-suite.ts';
import { pluginSuite } from '../support/plugin-turns.ts';
import { toolSuite } from '../support/tool-suite.ts';

const options = {
  // On stdin: as an argument it would be put into quotes.
  typed: (text: string): { prompt: string; args: readonly string[] } => {
    const [, name = '', prompt = ''] = /^\/([a-z-]+) ?([^]*)$/u.exec(text) ?? [];
    return { prompt, args: ['--command', name] };
  },
};

hostSuite('opencode', options);
toolSuite('opencode', options);
pluginSuite('opencode', { ...options, loader: '.config/opencode/plugin/tireless.js' });

const [entry] = hostsToTry(['opencode']);

describe.skipIf(entry?.absent !== null)(`${entry?.title}: a command as the argument of "opencode run"`, () => {
  it('arms a loop, with the goal byte for byte', async () => {
    const world = await loopWorld('opencode', ({ turn }) =>
      turn === 2 ? { write: { path: path.join(world.project, 'done.txt'), content: 'x' } } : { text: 'not yet' },
    );
    await world.run({ prompt: '', args: [`/ralph "${NASTY}" --check "test -f done.txt"`] });
    const { loop, status, counted } = world.onlyLoop();
    expect([status, counted]).toEqual(['completed', 2]);
    const store = openFileStore({ home: world.tirelessHome });
    expect(store.load(loop)?.spec.goal).toBe(NASTY);
    store.close();
  });

  it('answers the others by itself, and leaves a prompt that only speaks of one alone', async () => {
    const world = await loopWorld('opencode', () => ({ text: 'I see.' }));
    const status = await world.run({ prompt: '', args: ['/ralph-status --json'] });
    expect([status.requests, world.loops()]).toEqual([[], []]);
    const other = await world.run({ prompt: '', args: ['what does "/ralph goal" do?'] });
    expect([other.requests.length, world.loops()]).toEqual([1, []]);
  });
});
