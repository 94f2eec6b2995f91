import { Fault } from '../core/fault.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpText } from './help-page.ts';
import { sayHelp } from './io.ts';
import { helpLines } from '../terminal/help-lines.ts';
import { manPage } from '../views/man-page.ts';
import { nearestWord } from '../views/nearest-word.ts';
import { oneLine } from '../views/printable.ts';
import { UNAVAILABLE_COMMANDS } from './unavailable.ts';
import type { World } from './services.ts';

const HELP_WORDS: ReadonlySet<string> = new Set(['help', '--help', '-h']);
const VERSION_WORDS: readonly string[] = ['version', '--version', '-v', '-V'];
const WORDS_CHARS_MAX = 60;

/** The whole command line as a function: arguments in, exit code out. Faults pass through to the entry. */
export async function main(args: readonly string[], world: World): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (HELP_WORDS.has(name)) {
    const [asked, ...others] = rest;
    refuseOthers(
      `${name} ${asked ?? ''}`,
      others.filter((word) => !HELP_WORDS.has(word)),
    );
    if (asked === '--man') world.stdout.write(await wholeHelp());
    else if (asked === undefined || HELP_WORDS.has(asked)) sayHelp(world, overview());
    else sayHelp(world, helpText((await commandNamed(asked)).page));
    return 0;
  }
  // Alone, or with --json, it is answered before anything is loaded.
  if (VERSION_WORDS.includes(name))
    refuseOthers(
      name,
      rest.filter((word) => word !== '--json'),
    );
  return (await commandNamed(name)).call(rest, world);
}

function refuseOthers(command: string, others: readonly string[]): void {
  if (others.length > 0)
    throw new Fault(
      'USAGE',
      `Unexpected "${oneLine(others.join(' '), WORDS_CHARS_MAX)}" after "tireless ${command}". Leave it out.`,
    );
}

/** A terminal of 80 columns without the margins of `man`, which does not break lines that are already laid out. */
const MAN_COLUMNS = 72;

async function wholeHelp(): Promise<string> {
  const pages = Object.entries(COMMANDS).map(async ([name, { load }]) => ({
    name,
    lines: helpLines(helpText((await load()).page), MAN_COLUMNS),
  }));
  return manPage({ overview: helpLines(overview(), MAN_COLUMNS), commands: await Promise.all(pages) });
}

function overview(): readonly string[] {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 3;
  return [
    'tireless keeps a coding agent going until the work is proven done, and never longer than you allowed.',
    '',
    'Usage: tireless COMMAND [options]',
    '',
    'Commands:',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Start with:',
    '  tireless demo',
    '  tireless run "make the tests pass" --agent claude-code --check "npm test"',
    '',
    "Every loop ends: after 20 iterations or 4 hours unless you say otherwise. An agent's claim is not proof: with checks, only",
    'passed checks complete a loop.',
    '',
    '"tireless help COMMAND" lists the options of a command. "tireless help --man" prints all of them as a man page.',
    '"tireless --version" prints the version, with --json as an object.',
    'Loops are kept in $TIRELESS_HOME (default ~/.local/state/tireless).',
  ];
}

async function commandNamed(name: string): Promise<Command> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry !== undefined) return entry.load();
  const planned = UNAVAILABLE_COMMANDS.get(name);
  if (planned !== undefined)
    throw new Fault('USAGE', `The command "${name}" is not part of this version of tireless: ${planned}.`);
  const others = [...HELP_WORDS, ...VERSION_WORDS].filter((word) => word.length > 2);
  const close = nearestWord(name, [...Object.keys(COMMANDS), ...others]);
  const kind = name.startsWith('-') ? 'flag' : 'command';
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  throw new Fault(
    'USAGE',
    `Unknown ${kind} "${name.slice(0, 60)}".${suggestion} "tireless help" lists the commands; put a goal after "tireless run".`,
  );
}
