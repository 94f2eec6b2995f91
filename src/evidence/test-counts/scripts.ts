/** What npm, pnpm and yarn print before they run a script: its name, then its command. */
export const SCRIPT_BEGINS: RegExp = /^(?:> \S+(?: \S+){0,2}\n> \S.*|yarn run v\d\S*\n\$ \S.*)$/gm;

export function splitByScript(text: string): readonly string[] {
  const starts = [0, ...[...text.matchAll(SCRIPT_BEGINS)].map(({ index }) => index)];
  return starts.map((at, index) => text.slice(at, starts[index + 1] ?? text.length));
}

/**
 * pnpm, turbo, lerna and similar tools prefix each line with the package, because packages are tested in parallel. Each package then
 * has its own text; `rest` is everything else.
 */
export function splitByPackage(text: string): { readonly rest: string; readonly packages: readonly string[] } {
  const begins = [...text.matchAll(PACKAGE_BEGINS)].map(([, pnpm, other = '']) => `${pnpm ?? other}: `);
  const packages = new Map(begins.map((prefix) => [prefix, new Array<string>()]));
  if (packages.size === 0) return { rest: text, packages: [] };
  const rest: string[] = [];
  for (const line of text.split('\n')) {
    const prefix = line.slice(0, line.indexOf(': ') + 2);
    const own = packages.get(prefix);
    if (own === undefined) rest.push(line);
    else own.push(line.slice(prefix.length));
  }
  return { rest: rest.join('\n'), packages: [...packages.values()].map((lines) => lines.join('\n')) };
}

/** `packages/a test$ node --test`, `a:test: > a@1.0.0 test`, `a: > a@1.0.0 test`. */
const PACKAGE_BEGINS = /^(?:(\S+ \S+)\$ \S.*|(\S+): > \S+@\S* \S.*)$/gm;
