import { fieldsOf } from '../../hosts/fields.ts';
import { isOurLine } from '../settings/dialect-lines.ts';
import type { HostId } from '../../hosts/host.ts';

/** A line of ours in the settings of a host, and how long it may take; `null` = as long as the host gives it. */
export type HookEntry = { readonly line: string; readonly timeoutSeconds: number | null };

/** Deeper than any host nests its hooks. */
const DEPTH_MAX = 12;

/** Every line of ours in a value, with the timeout that stands beside it. */
export function entriesIn(value: unknown, host: HostId, home: string, depth = 0): readonly HookEntry[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  const fields = Array.isArray(value) ? undefined : fieldsOf(value);
  const own = Object.values(value)
    .filter((each): each is string => typeof each === 'string')
    .filter((text) => isOurLine(text, host, home))
    .map((line) => ({ line, timeoutSeconds: timeoutOf(fields, host) }));
  const inner = Object.values(value).flatMap((each) => entriesIn(each, host, home, depth + 1));
  return [...own, ...inner];
}

function timeoutOf(fields: Readonly<Record<string, unknown>> | undefined, host: HostId): number | null {
  const given = fields?.['timeout'] ?? fields?.['timeoutSec'];
  if (typeof given !== 'number') return null;
  return host === 'gemini' ? given / 1000 : given;
}

/** The two files that a line of ours starts: Node, and the program behind its options. `null` = it is no line of ours. */
export function filesOf(line: string): { readonly node: string; readonly script: string } | null {
  const [, rest = ''] = /\bexec (?!cat\b)(.*)$/u.exec(line) ?? [];
  const words = (rest.match(/(?:'[^']*'|\\'|[^\s';])+/gu) ?? []).map(unquoted);
  const [node] = words;
  const script = words.find((word) => /\.c?js$/u.test(word));
  return node === undefined || script === undefined ? null : { node, script };
}

/** What `quoted` made of a word, taken back. */
function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|\\(')/gu,
    (_, inner: string | undefined, sign: string | undefined) => inner ?? sign ?? '',
  );
}
