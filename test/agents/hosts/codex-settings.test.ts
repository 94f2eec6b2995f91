/** Codex writes into its settings itself, also where tireless put the trust in its hooks. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentWorld, expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';

const [codex] = hostsToTry(['codex']);

describe.skipIf(codex?.absent !== null)(`settings of a real ${codex?.title}`, () => {
  it('keep what Codex added to them when the trust in our hooks is renewed and taken out', async () => {
    const world = await agentWorld('codex', () => ({ text: 'never asked' }));
    const config = (): string => readFileSync(path.join(world.home, '.codex/config.toml'), 'utf8');
    const before = config();
    const install = (): string => world.tireless('install', 'codex', '--trust', '--yes').stdout;
    install();
    const environment = { CODEX_HOME: path.join(world.home, '.codex') };
    expectSuccess(await world.launch({ args: ['mcp', 'add', 'mine', '--', 'true'], environment }).done);
    expect(config()).toContain('[mcp_servers.mine]');
    expect(install()).toContain('Nothing to change');
    expect(world.tireless('uninstall').exitCode).toBe(0);
    expect(config()).toMatch(/\[mcp_servers\.mine\]\ncommand = "true"/u);
    expect(config()).not.toContain('hooks.state');
    expect(config().startsWith(before)).toBe(true);
  });

  it('can still be read when a trust of the user for older hooks, quoted as Codex quotes a backslash, gave way', async () => {
    const world = await agentWorld('codex', () => ({ text: 'never asked' }));
    const file = path.join(world.home, '.codex/config.toml');
    const install = (): number | null => world.tireless('install', 'codex', '--trust', '--yes').exitCode;
    expect(install()).toBe(0);
    const ours = readFileSync(file, 'utf8');
    const theirs = ours
      .replaceAll(/^# \[tireless\].*\n/gmu, '')
      .replaceAll(/sha256:./gu, 'sha256:_')
      .replaceAll(/^\[hooks\.state\."(.*)"\]$/gmu, "[hooks.state.'$1']");
    expect(theirs).toContain("[hooks.state.'");
    expect(world.tireless('uninstall').exitCode).toBe(0);
    writeFileSync(file, theirs);
    expect(install()).toBe(0);
    const environment = { CODEX_HOME: path.join(world.home, '.codex') };
    expectSuccess(await world.launch({ args: ['mcp', 'list'], environment }).done);
    expect(readFileSync(file, 'utf8')).not.toContain("[hooks.state.'");
  });
});
