/** A command of the user's own that is called ralph, in another kind of file than ours: the real client runs it after the install as before. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { agentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn, shownTo } from './support/host-suite.ts';
import type { AgentRun } from './support/launch/launcher.ts';

type Case = {
  readonly host: HostId;
  readonly place: 'home' | 'project';
  readonly file: string;
  readonly text: string;
  readonly run: AgentRun;
  readonly says: string;
};

const TYPED = { prompt: '/ralph hey you' };
const NAMED = { prompt: 'hey you', args: ['--command', 'ralph'] };
const SKILL = '---\nname: ralph\ndescription: sings\n---\n\nSing a song.\n';
const TOML = 'description = "sings"\nprompt = "Sing: {{args}}"\n';
const JSON_COMMAND = JSON.stringify({ command: { ralph: { template: 'Sing: $ARGUMENTS', description: 'sings' } } });

const PROMPT = '---\ndescription: sings\n---\n\nSing: $ARGUMENTS\n';

const CASES: readonly Case[] = [
  { host: 'pi', place: 'home', file: '.pi/agent/prompts/ralph.md', text: PROMPT, run: TYPED, says: 'Sing: hey you' },
  {
    host: 'claude-code',
    place: 'home',
    file: '.claude/skills/ralph/SKILL.md',
    text: SKILL,
    run: TYPED,
    says: 'Sing a',
  },
  { host: 'qwen', place: 'home', file: '.qwen/commands/ralph.toml', text: TOML, run: TYPED, says: 'Sing: hey you' },
  { host: 'qwen', place: 'home', file: '.qwen/skills/ralph/SKILL.md', text: SKILL, run: TYPED, says: 'Sing a song' },
  {
    host: 'gemini',
    place: 'project',
    file: '.gemini/commands/ralph.toml',
    text: TOML,
    run: TYPED,
    says: 'Sing: hey you',
  },
  {
    host: 'codex',
    place: 'home',
    file: '.agents/skills/ralph/SKILL.md',
    text: SKILL,
    run: { prompt: '$ralph hey' },
    says: 'Sing a song',
  },
  { host: 'opencode', place: 'project', file: 'opencode.json', text: JSON_COMMAND, run: NAMED, says: 'Sing: hey you' },
];

for (const { host, place, file, text, run, says } of CASES) {
  const [client] = hostsToTry([host]);
  it.skipIf(client?.absent !== null)(`${client?.title} runs the user's own ralph from ${file} (${place})`, async () => {
    const world = await agentWorld(host, () => ({ text: 'la la' }));
    const own = path.join(world[place], file);
    mkdirSync(path.dirname(own), { recursive: true });
    writeFileSync(own, text);
    const words = host === 'codex' ? ['--trust'] : [];
    const { stdout } = world.tireless('install', host, '--user', '--yes', ...words);
    expect(stdout).toContain(`own command (${own}) and stays yours. Ours is called`);
    const result = await world.run(run);
    expect(shownTo(result)).toContain(says);
    expect(loopsIn(world)).toEqual([]);
  });
}
