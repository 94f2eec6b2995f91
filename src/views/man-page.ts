export type ManPage = {
  /** The overview, as `tireless help` prints it. */
  readonly overview: readonly string[];
  /** The help of each command, as `tireless help COMMAND` prints it. */
  readonly commands: readonly { readonly name: string; readonly lines: readonly string[] }[];
};

/** The whole help as one page for `man`: the text as it is printed, one section per command. */
export function manPage({ overview, commands }: ManPage): string {
  const lines = [
    '.TH TIRELESS 1 "" "tireless" "User Commands"',
    '.SH NAME',
    'tireless \\- keeps a coding agent going until the work is proven done',
    '.SH OVERVIEW',
    ...asPrinted(overview),
    ...commands.flatMap(({ name, lines: help }) => [`.SH "TIRELESS ${name.toUpperCase()}"`, ...asPrinted(help)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Line breaks are kept: the help is already laid out for a terminal. */
function asPrinted(lines: readonly string[]): readonly string[] {
  return ['.nf', ...lines.flatMap((line) => line.split('\n')).map(escaped), '.fi'];
}

/** A dash stays a dash that can be copied, and a line that begins with a dot is not a request. */
function escaped(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
