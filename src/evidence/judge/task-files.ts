/** Where the tasks named by a check are defined: npm and composer scripts, make, just and task recipes. Text in, shell out. */
import { isRecord } from '../../core/is-record.ts';
import { parseJson, withoutByteOrderMark } from '../../core/parse-json.ts';

const RECIPE_TARGETS_MAX = 100;

/** Scripts by name; empty if the text is not a JSON object. */
export function readScripts(text: string | undefined, key: string): ReadonlyMap<string, string> {
  const value: unknown = text === undefined ? undefined : readJson(text);
  const scripts = isRecord(value) ? value[key] : undefined;
  const entries = isRecord(scripts) ? Object.entries(scripts) : [];
  return new Map(
    entries.flatMap(([name, command]): [string, string][] => {
      const lines: readonly unknown[] = Array.isArray(command) ? command : [command];
      const texts = lines.filter((line) => typeof line === 'string');
      return texts.length === 0 ? [] : [[name, texts.join('\n')]];
    }),
  );
}

/** Files that a package declares as its own programs: `main`, `bin`, `exports` and the like, as written. */
export function readEntries(text: string | undefined): readonly string[] {
  const value: unknown = text === undefined ? undefined : readJson(text);
  if (!isRecord(value)) return [];
  return ['main', 'module', 'browser', 'bin', 'exports', 'types'].flatMap((key) => textsIn(value[key], 0));
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((item) => textsIn(item, depth + 1)) : [];
}

export type Recipes = {
  /** The commands of the named targets and their prerequisites; the whole file if no target has that name. */
  linesOf(targets: readonly string[]): string;
  /** The same targets by name, without phony ones, and whether one depends on other files: only such a target is ever out of date. */
  filesOf(targets: readonly string[]): ReadonlyMap<string, { readonly needs: boolean }>;
  /** Included files. */
  readonly includes: readonly string[];
};

/** make and just: a target with its prerequisites, then indented lines. Variables with a plain value are expanded. */
export function readRecipes(text: string): Recipes {
  const variables = new Map<string, string>();
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  const includes: string[] = [];
  let open: string[] = [];
  let first: string | undefined;
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const assignment = /^(?:export\s+|override\s+)?([\w.-]+)\s*[:?+]*=\s*(.*)$/.exec(line);
    const target = /^([^\s#:=][^:=#]*)::?(?!=)([^=]*)$/.exec(line.replace(/;.*$/, ''));
    const included = /^(?:-|s)?(?:include|import)\s+(.*)$/.exec(line);
    if (/^[\t ]/.test(line)) for (const name of open) rules.get(name)?.lines.push(line.replace(/^[\t ]+[@+-]*/, ''));
    else if (included !== null) includes.push(...(included[1] ?? '').split(/\s+/).map(withoutQuotes));
    else if (assignment !== null) variables.set(assignment[1] ?? '', withoutQuotes(assignment[2] ?? ''));
    else if (target !== null) {
      open = (target[1] ?? '').trim().split(/\s+/);
      const needs = (target[2] ?? '').trim().split(/\s+/).filter(Boolean);
      for (const name of open) {
        const rule = rules.get(name) ?? { needs: [], lines: [] };
        rules.set(name, { needs: [...rule.needs, ...needs], lines: rule.lines });
        if (!name.startsWith('.')) first ??= name;
      }
      const inline = /;(.*)$/.exec(line)?.[1];
      if (inline !== undefined) for (const name of open) rules.get(name)?.lines.push(inline);
    } else if (line.trim() !== '' && !line.startsWith('#')) open = [];
  }
  const reach = (targets: readonly string[]): ReadonlySet<string> => {
    const wanted = new Set(targets.length > 0 ? targets : first === undefined ? [] : [first]);
    const isKnown = [...wanted].some((name) => rules.has(name));
    // Unknown: a pattern rule or an included file. Too much is better than too little.
    const names = isKnown ? wanted : new Set(rules.keys());
    for (const name of names) {
      if (names.size > RECIPE_TARGETS_MAX) break;
      for (const need of rules.get(name)?.needs ?? []) names.add(need);
    }
    return names;
  };
  return {
    includes,
    linesOf: (targets) => {
      const lines = [...reach(targets)].flatMap((name) => rules.get(name)?.lines ?? []);
      return lines.map((line) => withVariables(line, variables)).join('\n');
    },
    filesOf: (targets) => {
      const phony = new Set(rules.get('.PHONY')?.needs);
      const own = [...reach(targets)].filter((name) => (rules.get(name)?.lines.length ?? 0) > 0 && !phony.has(name));
      const files = own.map((name): [string, { readonly needs: boolean }] => {
        // Behind a bar: only its existence counts.
        const needs = rules.get(name)?.needs.join(' ').split('|')[0] ?? '';
        return [withVariables(name, variables), { needs: needs.trim() !== '' }];
      });
      return new Map(files.filter(([name]) => !/[\s$%*?]/.test(name)));
    },
  };
}

/** Every line of the file that could be a command: `- a b`, `cmd: a b`, `commands = a b`. */
export function readCommandLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:-\s+)?(?:[\w-]+:\s+|[\w-]+\s+=\s*|commands\w*=)?/, ''))
    .map((line) => line.replaceAll(/^["']|["']$/g, '').replaceAll(/\{(?:toxinidir|tox_root)\}\//g, './'))
    .join('\n');
}

function withVariables(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < 3; round++) {
    text = text.replaceAll(
      /\$\(([\w.-]+)\)|\$\{([\w.-]+)\}|\{\{\s*([\w.-]+)\s*\}\}/g,
      (whole, a?: string, b?: string, c?: string) =>
        variables.get(a ?? b ?? c ?? '') ?? (a === 'MAKE' ? 'make' : whole),
    );
  }
  return text.replaceAll('$$', '$').slice(0, 10_000);
}

/** `undefined` = it is not JSON. */
function readJson(text: string): unknown {
  return parseJson(withoutByteOrderMark(text));
}

function withoutQuotes(text: string): string {
  return text.trim().replaceAll(/^["']|["']$/g, '');
}
