import { readFileSync } from 'node:fs';
import { ignoringErrno } from './errno.ts';
import { currentPlatform } from './paths.ts';
import { parseStat } from './process-table-linux.ts';

/** Programs with which a host starts a hook, and which end with the hook. */
const SHELLS: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'zsh', 'ash', 'ksh', 'mksh', 'fish', 'busybox']);
const SHELLS_MAX = 8;

/** The program that started this hook: the nearest ancestor that is not a shell. `undefined` = not known here. */
export function hostProcess({
  pid = process.ppid,
  proc = '/proc',
  os = currentPlatform().os,
}: {
  readonly pid?: number;
  readonly proc?: string;
  readonly os?: string;
} = {}): number | undefined {
  if (os !== 'linux') return undefined;
  let current = pid;
  for (let step = 0; step < SHELLS_MAX && current > 1; step++) {
    const text = ignoringErrno(() => readFileSync(`${proc}/${current}/stat`, 'latin1')) ?? '';
    const stat = parseStat(text);
    if (stat === undefined) return undefined;
    if (!SHELLS.has(text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')))) return current;
    current = stat.ppid;
  }
  return undefined;
}
