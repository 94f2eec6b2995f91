/** A machine whose administrator forbids hooks: the real client runs none, and tireless names the setting and the way out. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agentWorld, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Only the program and what it starts see this /etc. */
const WITH_OWN_ETC = 'mount --bind "$0" /etc && exec "$@"';
const NO_MOUNTS =
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
    ? null
    : 'this user may not mount anything';

type Rule = readonly [file: string, setting: string, text: string, fix: string];

const RULES: Readonly<Record<'claude-code' | 'codex', readonly Rule[]>> = {
  'claude-code': [
    ['managed-settings.json', 'allowManagedHooksOnly', '{ "allowManagedHooksOnly": true }', 'tireless run --agent'],
    ['managed-settings.json', 'disableAllHooks', '{ "disableAllHooks": true }', 'tireless run --agent'],
    [
      'managed-settings.json',
      'strictPluginOnlyCustomization',
      '{ "strictPluginOnlyCustomization": ["hooks"] }',
      'claude plugin install',
    ],
  ],
  codex: [
    ['requirements.toml', 'allow_managed_hooks_only', 'allow_managed_hooks_only = true\n', 'tireless run --agent'],
    ['requirements.toml', 'features.hooks', '[features]\nhooks = false\n', 'tireless run --agent'],
  ],
};

for (const { host, absent, title } of hostsToTry(['claude-code', 'codex'])) {
  const rules = RULES[host === 'codex' ? 'codex' : 'claude-code'];
  const why = absent === null && NO_MOUNTS !== null ? ` (SKIPPED: ${NO_MOUNTS})` : '';
  describe.skipIf(absent !== null || NO_MOUNTS !== null)(`a machine that forbids hooks in ${title}${why}`, () => {
    it.each(rules)('is found by its %s: %s', async (file, setting, text, fix) => {
      const world = await agentWorld(host, () => ({ text: 'never asked' }));
      const etc = path.join(path.dirname(world.home), 'etc');
      cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true });
      mkdirSync(path.join(etc, host), { recursive: true });
      writeFileSync(path.join(etc, host, file), text);
      const trust = host === 'codex' ? ['--trust'] : [];
      const installed = tirelessWith(world, etc, 'install', host, '--user', '--yes', ...trust);
      const cause = `/etc/${host}/${file}, which manages this machine, sets ${setting}: `;
      expect([installed.status, installed.stdout]).toEqual([1, expect.stringContaining(`NO HOOK RUNS YET: ${cause}`)]);
      const { status, stdout } = tirelessWith(world, etc, 'doctor', host);
      expect([status, stdout]).toEqual([1, expect.stringContaining(cause)]);
      expect(stdout).toContain(fix);
      // It is true: the client was started, and called none of them.
      expect(stdout).toContain('no hook of tireless was called');
    });
  });
}

function tirelessWith({ launcher, place, environment, project }: AgentWorld, etc: string, ...args: readonly string[]) {
  const own = launcher.headless(place, { prompt: '' }).environment;
  const PATH = [path.dirname(place.client), environment['PATH']].join(':');
  const words = ['-m', 'sh', '-c', WITH_OWN_ETC, etc, process.execPath, CLI, ...args];
  return spawnSync('unshare', words, { cwd: project, env: { ...environment, ...own, PATH }, encoding: 'utf8' });
}
