import { fieldsOf } from '../../hosts/fields.ts';
import { unquoted } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/ids.ts';
import type { HookCall } from '../../hosts/setup.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { windowsWords } from '../../hosts/windows-call.ts';
import { callsOf, isOurCall } from '../settings/our-calls.ts';

/** An entry of ours in the settings of a host, and how long it may take; `null` = as long as the host allows. */
export type HookEntry = { readonly call: HookCall; readonly timeoutSeconds: number | null };

/** Deeper than any host nests its hooks. */
const DEPTH_MAX = 12;

/** Every call of ours in a value, with the timeout next to it. */
export function entriesIn(value: unknown, host: HostId, home: string, depth = 0): readonly HookEntry[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  const fields = Array.isArray(value) ? undefined : fieldsOf(value);
  const own = callsOf(value)
    .filter((call) => isOurCall(call, host, home))
    .map((call) => ({ call, timeoutSeconds: timeoutOf(fields, host) }));
  const inner = Object.values(value).flatMap((each) => entriesIn(each, host, home, depth + 1));
  return [...own, ...inner];
}

function timeoutOf(fields: Readonly<Record<string, unknown>> | undefined, host: HostId): number | null {
  const given = fields?.['timeout'] ?? fields?.['timeoutSec'];
  if (typeof given !== 'number') return null;
  return HOSTS[host].install.countsMs === true ? given / 1000 : given;
}

type StartedFiles = { readonly node: string; readonly script: string };

/** The script that a line of ours reads, and the files that it starts. */
export function filesInScript(text: string): StartedFiles | null {
  const value = (name: string): string | undefined => new RegExp(`^${name}=(.+)$`, 'mu').exec(text)?.[1];
  const [node, script] = [value('node'), value('script')];
  if (node !== undefined && script !== undefined) return { node: unquoted(node), script: unquoted(script) };
  const line = text.split('\n').find((each) => /\bexec (?!cat\b)/u.test(each));
  return line === undefined ? null : filesOf({ line });
}

/** The two files that a call of ours starts: Node, and the program after its options. `null` = it is not a call of ours, or it reads a script. */
export function filesOf(call: HookCall): StartedFiles | null {
  const [, rest = ''] = /\bexec (?!cat\b)(.*)$/u.exec(call.line) ?? [];
  const words = rest === '' ? windowsWords(call) : (rest.match(/(?:'[^']*'|\\'|[^\s';])+/gu) ?? []).map(unquoted);
  const at = words.findIndex((word) => /\.c?js$/u.test(word));
  const script = words[at];
  const node = words.slice(0, Math.max(at, 0)).findLast((word) => !word.startsWith('-'));
  return node === undefined || script === undefined ? null : { node, script };
}
