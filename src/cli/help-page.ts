import type { Flag, FlagTable } from './flags.ts';

export type HelpPage = {
  readonly name: string;
  readonly synopsis: readonly string[];
  readonly about: readonly string[];
  /** Title of the group -> its flags. */
  readonly flags: Readonly<Record<string, FlagTable>>;
  readonly examples: readonly string[];
  /** Text after the flags, such as the exit codes. */
  readonly notes: readonly string[];
};

const LEFT_COLUMNS = 34;

export const LOOP_NOTE: readonly string[] = [
  'LOOP is an id, the beginning of one, or "last", the newest loop of this project. Without LOOP, the command takes the newest loop of this project that it can act on.',
];

export const PLAIN_EXIT_CODES: readonly string[] = [
  'Exit codes: 0 done · 1 a fault · 2 wrong usage · 70 a bug in tireless',
];

export const DRIVE_EXIT_CODES: readonly string[] = [
  'Exit codes:',
  '  0    completed',
  '  1    a fault: the message has a code and the next step',
  '  2    wrong usage: nothing was started',
  '  3    halted by a guard (iterations, duration, cost, tokens, no progress)',
  '  4    paused: for a human, a usage limit, or Ctrl-C once',
  '  5    cancelled',
  '  6    the agent failed, permanently or several times in a row',
  '  7    completed, but not proven in the clean room, with --require-verified',
  '  70   a bug in tireless',
  '  130  Ctrl-C twice',
];

export function helpText(page: HelpPage): readonly string[] {
  return [
    ...page.synopsis.map((line, index) => `${index === 0 ? 'Usage: ' : '       '}${line}`),
    '',
    ...page.about,
    ...Object.entries(page.flags).flatMap(([title, table]) => ['', `${title}:`, ...flagLines(table)]),
    ...(page.examples.length > 0 ? ['', 'Examples:', ...page.examples.map((example) => `  ${example}`)] : []),
    ...(page.notes.length > 0 ? ['', ...page.notes] : []),
  ];
}

function flagLines(table: FlagTable): readonly string[] {
  return Object.entries(table).map(([name, flag]) => {
    const inline = inlineWords(flag);
    const left = `  --${name}${inline}${flag.placeholder === null ? '' : ` ${flag.placeholder}`}`;
    const spellings = [
      ...(flag.short === undefined ? [] : [`-${flag.short}`]),
      ...flag.aliases.map((each) => `--${each}`),
    ];
    const also = spellings.length > 0 ? ` (also ${spellings.join(', ')})` : '';
    // Two spaces, so that a wrapped line of the help stays in its column.
    return left.length + 1 < LEFT_COLUMNS
      ? `${left.padEnd(LEFT_COLUMNS)}${flag.help}${also}`
      : `${left}\n${' '.repeat(LEFT_COLUMNS)}${flag.help}${also}`;
  });
}

function inlineWords({ inline, optional }: Flag<unknown>): string {
  if (optional !== undefined) return ` [${optional}]`;
  return inline === undefined ? '' : `[=${inline.join('|')}]`;
}
