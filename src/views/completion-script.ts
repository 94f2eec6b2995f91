import { shellWord } from '../core/shell-word.ts';

/** What a shell needs to know about one command. */
export type CompletedCommand = {
  readonly name: string;
  readonly summary: string;
  /** What may follow, apart from flags and files. */
  readonly words: readonly string[];
  readonly flags: readonly CompletedFlag[];
};

type CompletedFlag = {
  readonly name: string;
  readonly help: string;
  readonly takesValue: boolean;
  /** Values to offer; empty = files. */
  readonly choices: readonly string[];
};

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that teaches a shell our commands, flags, and the values of flags that have a list of them. Other values are completed as files. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  return `${SCRIPTS[shell](commands).join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => readonly string[]>> = {
  bash: bashLines,
  zsh: zshLines,
  fish: fishLines,
};

function bashLines(commands: readonly CompletedCommand[]): readonly string[] {
  return [
    '_tireless() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${shellWord(`${commands.map(({ name }) => name).join(' ')} help version`, 'always')}`,
    '  else',
    '    case "${COMP_WORDS[1]}" in',
    ...commands.flatMap(({ name, words, flags }) => [
      `      ${name})`,
      '        case "$before" in',
      ...bashValues(flags),
      `          *) words=${shellWord(wordsAndFlags(words, flags).join(' '), 'always')} ;;`,
      '        esac ;;',
    ]),
    `      help) words=${shellWord(commands.map(({ name }) => name).join(' '), 'always')} ;;`,
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _tireless tireless',
  ];
}

/** Without choices we offer nothing, so that bash completes files. */
function bashValues(flags: readonly CompletedFlag[]): readonly string[] {
  const files = flags.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
  return [
    ...chosen(flags).map(
      ({ name, choices }) => `          --${name}) words=${shellWord(choices.join(' '), 'always')} ;;`,
    ),
    ...(files.length === 0 ? [] : [`          ${files.map(({ name }) => `--${name}`).join('|')}) return ;;`]),
  ];
}

function chosen(flags: readonly CompletedFlag[]): readonly CompletedFlag[] {
  return flags.filter(({ choices }) => choices.length > 0);
}

function zshLines(commands: readonly CompletedCommand[]): readonly string[] {
  return [
    '#compdef tireless',
    '_tireless() {',
    '  local -a commands flags',
    `  commands=(${commands.map(({ name, summary }) => described(name, summary)).join(' ')})`,
    '  if (( CURRENT == 2 )); then',
    '    _describe command commands',
    '    return',
    '  fi',
    '  case $words[2] in',
    ...commands.flatMap(({ name, words, flags }) => [
      `    ${name})`,
      ...chosen(flags).map(
        (flag) =>
          `      if [[ $words[CURRENT-1] == --${flag.name} ]]; then compadd -- ${flag.choices.join(' ')}; return; fi`,
      ),
      `      flags=(${flags.map((flag) => described(`--${flag.name}`, flag.help)).join(' ')})`,
      ...(words.length === 0 ? [] : [`      compadd -- ${words.join(' ')}`]),
      '      ;;',
    ]),
    '    help) _describe command commands; return ;;',
    '  esac',
    '  if [[ $PREFIX == -* ]]; then _describe -o option flags; else _files; fi',
    '}',
    'compdef _tireless tireless',
  ];
}

function fishLines(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.flatMap(({ name, summary, words, flags }) => {
    const inside = `complete -c tireless -n ${shellWord(`__fish_seen_subcommand_from ${name}`, 'always')}`;
    return [
      `complete -c tireless -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
      ...(words.length === 0 ? [] : [`${inside} -a ${shellWord(words.join(' '), 'always')}`]),
      ...flags.map((flag) => `${inside} -l ${flag.name}${valueInFish(flag)} -d ${fishQuoted(flag.help)}`),
    ];
  });
}

function valueInFish({ takesValue, choices }: CompletedFlag): string {
  if (choices.length > 0) return ` -x -a ${shellWord(choices.join(' '), 'always')}`;
  return takesValue ? ' -r' : '';
}

function wordsAndFlags(words: readonly string[], flags: readonly CompletedFlag[]): readonly string[] {
  return [...words, ...flags.map(({ name }) => `--${name}`)];
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** `name:what it is`, as `_describe` reads it. */
function described(name: string, help: string): string {
  return shellWord(`${name}:${help.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`, 'always');
}
