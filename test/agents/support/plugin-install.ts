import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { AgentWorld } from './agent-world.ts';
import type { Terminal } from './tmux.ts';
import { openTerminal } from './tmux.ts';

export const PLUGINS = fileURLToPath(new URL('../../../plugins', import.meta.url));

/** The client's own commands, as the user of the world. */
export function clientCommand(world: AgentWorld, ...args: readonly string[]): void {
  const { environment } = world.launcher.headless(world.place, { prompt: '' });
  const env = { ...world.environment, ...environment };
  const ran = spawnSync(world.place.client, args, { cwd: world.project, env, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}\n${ran.stderr}`);
}

/** A client that copies a plugin finds only the launch file of a tireless that was used before. */
export function useOnce(world: AgentWorld): void {
  expect(world.tireless('start', 'something else', '--session', 'another').exitCode).toBe(0);
  expect(world.tireless('cancel').exitCode).toBe(0);
  expect(existsSync(path.join(world.tirelessHome, 'launch'))).toBe(true);
}

export function addCodexPlugin(world: AgentWorld): void {
  useOnce(world);
  clientCommand(world, 'plugin', 'marketplace', 'add', `${PLUGINS}/codex`, '--json');
  clientCommand(world, 'plugin', 'add', 'tireless@tireless', '--json');
}

/** As a person does it: Codex asks at its start, and no other program can confirm its plugins. The terminal stays open. */
export async function trustOnScreen(world: AgentWorld): Promise<Terminal> {
  const terminal = openTerminal(world);
  await terminal.shows('Hooks need review');
  await terminal.rests();
  terminal.press('2');
  await terminal.shows('› 2. Trust all and continue');
  terminal.press('Enter');
  await terminal.shows('Ask Codex');
  const config = path.join(world.home, '.codex/config.toml');
  await expect.poll(() => readFileSync(config, 'utf8'), { timeout: 60_000 }).toContain(':stop:0:0"]\ntrusted_hash');
  return terminal;
}
