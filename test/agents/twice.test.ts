/** tireless active twice in one client: for the user and for the project, or as a plugin beside `install`. Nobody notices, except `doctor`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { AgentWorld } from './support/agent-world.ts';
import { agentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn, shownTo } from './support/host-suite.ts';
import type { AgentRun } from './support/launch/launcher.ts';
import { clientCommand, PLUGINS, useOnce } from './support/plugin-install.ts';

type Twice = {
  readonly host: HostId;
  readonly title?: string;
  /** Beside `install --user`. */
  readonly second?: (world: AgentWorld) => void;
  readonly installWords?: readonly string[];
  readonly typed?: (prompt: string) => Partial<AgentRun> & { readonly prompt: string };
};

const TWICE: readonly Twice[] = [
  { host: 'claude-code' },
  { host: 'codex', installWords: ['--trust'] },
  { host: 'gemini' },
  {
    host: 'gemini',
    title: 'as an extension too',
    second: (world) => {
      useOnce(world);
      clientCommand(world, 'extensions', 'install', `${PLUGINS}/gemini`, '--consent');
    },
  },
  { host: 'qwen' },
  { host: 'copilot', typed: (prompt) => ({ prompt, args: ['--trust-folder'] }) },
  {
    host: 'opencode',
    typed: (text) => {
      const [, name = '', prompt = ''] = /^\/([a-z-]+) ?([^]*)$/u.exec(text) ?? [];
      return { prompt, args: ['--command', name] };
    },
  },
  { host: 'pi' },
  { host: 'droid', typed: (prompt) => ({ prompt, typed: true }) },
];

const RUNS_MAX = 8;

for (const { host, title: way = 'for the project too', second, installWords = [], typed } of TWICE) {
  const [entry] = hostsToTry([host]);
  describe.skipIf(entry?.absent !== null)(`tireless in ${entry?.title}, installed for the user and ${way}`, () => {
    const installed = (world: AgentWorld): void => {
      expect(world.tireless('install', host, '--user', '--yes', ...installWords).exitCode).toBe(0);
      if (second !== undefined) second(world);
      else expect(world.tireless('install', host, '--project', '--yes', ...installWords).exitCode).toBe(0);
    };
    it('begins a loop with one prompt, judges each stop once, and holds the limit exactly', async () => {
      const world = await agentWorld(host, () => ({ text: 'not yet' }));
      installed(world);
      const prompt = `/ralph "never done" --check "echo x >> runs; false" --free runs --no-room --max-iterations 3`;
      const result = await world.run(typed?.(prompt) ?? { prompt });
      const loop = loopsIn(world).find(({ session }) => session?.host === host && session.id !== 'another');
      expect(loop).toMatchObject({ status: 'halted', counted: 3 });
      expect(result.requests).toHaveLength(3);
      expect(shownTo(result)).not.toContain('it already has loop');
      const store = openFileStore({ home: world.tirelessHome });
      const stops = store.entries(loop?.loop ?? '').filter(({ event }) => event.kind === 'turn-ended');
      store.close();
      // Where one hook takes away the check of the other, that one waits in vain: the check is unknown then.
      expect(stops.map(({ evidence }) => evidence.checks?.map((check) => check.result))).toEqual([
        ['failed'],
        ['failed'],
        ['failed'],
      ]);
      const runs = readFileSync(path.join(world.project, 'runs'), 'utf8').trim().split('\n');
      // At the start and at each stop, and each time once more, because it failed.
      expect(runs.length).toBeLessThanOrEqual(RUNS_MAX);
    });
  });
}
