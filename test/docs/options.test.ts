/** Options and commands, both ways: what the tables of the program hold is documented, and what is documented is in the tables. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { helpText } from '../../src/cli/help-page.ts';
import { pages, ROOT } from './pages.ts';

/** Shown as a mistake, or refused by name. */
const SLIPS: ReadonlySet<string> = new Set(['run --max-iteration']);

/** Pages about one document or one host: they may be the only ones to name an option. */
const MORE_PAGES = ['docs/dialects', 'docs/hosts'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(path.join(ROOT, folder, name), 'utf8') })),
);

/** Every command takes it. */
const EVERYWHERE = ['help'];

/** Every command with all it needs, on a busy machine. */
const LOAD_MS_MAX = 60_000;

const commands = new Map<string, Command>();

beforeAll(async () => {
  for (const [name, { load }] of Object.entries(COMMANDS)) commands.set(name, await load());
}, LOAD_MS_MAX);

function optionsOf({ flags }: Pick<Command, 'flags'>): readonly string[] {
  return Object.entries(flags).flatMap(([name, { aliases }]) => [name, ...aliases]);
}

function optionsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*[a-z])\b/g)].map((match) => match[1] ?? '');
}

/** `tireless COMMAND …` in a line of text: the command, and the options up to where it ends. What stands in quotes is a value. */
function callsIn(text: string): readonly { readonly command: string; readonly options: readonly string[] }[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  return [...joined.matchAll(/\btireless ([a-z]+)\b([^\n`;|&]*)/g)].flatMap(([, command = '', rest = '']) => {
    if (!commands.has(command)) return [];
    const bare = rest.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, 'TEXT').split(/\s--(?:\s|$)|["'(),]|\s#\s/u)[0] ?? '';
    return [{ command, options: optionsIn(bare) }];
  });
}

function strangersIn(where: string, text: string): readonly string[] {
  return callsIn(text).flatMap(({ command, options }) => {
    const known = new Set([...EVERYWHERE, ...optionsOf(commands.get(command) ?? { flags: {} })]);
    return options
      .filter((option) => !known.has(option) && !SLIPS.has(`${command} --${option}`))
      .map((option) => `${where}: tireless ${command} --${option}`);
  });
}

describe('options', () => {
  const all = [...pages(), ...MORE_PAGES];
  const said = all.map(({ text }) => text).join('\n');

  it('are read from the tables and from the pages', () => {
    expect(commands.size).toBeGreaterThan(25);
    expect([...commands.values()].flatMap(optionsOf).length).toBeGreaterThan(100);
    expect(callsIn(said).length).toBeGreaterThan(200);
    expect(callsIn('`tireless run "a --b" --check x -- --goal`; tireless list --json')).toEqual([
      { command: 'run', options: ['check'] },
      { command: 'list', options: ['json'] },
    ]);
  });

  it.each(Object.keys(COMMANDS))('of "tireless %s" all stand in its help, and no others do', (name) => {
    const command = commands.get(name);
    const shown = Object.values(command?.page.flags ?? {}).flatMap((table) => Object.keys(table));
    expect(shown.toSorted()).toEqual(Object.keys(command?.flags ?? {}).toSorted());
  });

  it('after a command are options of that command, in every page and every help', () => {
    const inHelp = [...commands].flatMap(([name, { page }]) => strangersIn(`help ${name}`, helpText(page).join('\n')));
    expect([...inHelp, ...all.flatMap(({ name, text }) => strangersIn(name, text))]).toEqual([]);
  });

  it('are all mentioned in the documentation', () => {
    const mentioned = new Set(optionsIn(said));
    const missed = [...commands].flatMap(([name, command]) =>
      optionsOf(command)
        .filter((option) => !mentioned.has(option))
        .map((option) => `tireless ${name} --${option}`),
    );
    expect(missed).toEqual([]);
  });

  it('belong to commands that the documentation names, every one', () => {
    const named = new Set(callsIn(said).map(({ command }) => command));
    expect([...commands.keys()].filter((name) => !named.has(name))).toEqual([]);
  });
});
