/**
 * Variables of a shell test that a sourced product fixes: after `readonly failed=0` the test can no longer count its failures. Such a line is
 * a sign only if a test that sources the file assigns the same name; constants of the product are fine.
 */
import type { Sign } from '../../core/room.ts';
import { addedLines } from './added-lines.ts';
import type { FileChange } from './find-signs.ts';
import { languageOf } from './find-signs.ts';
import { hasShebang, readSource, signOf } from './source.ts';
import type { Change } from './source.ts';

const NAMES_MAX = 500;
const ATTRIBUTES =
  /^(?:.{0,200}[;&{] ?)?(?:readonly|(?:declare|typeset)(?: -[a-zA-Z]{1,8}){0,3}? -[a-zA-Z]{0,8}[ilnrux][a-zA-Z]{0,8})((?: -\S{1,8})* .{1,300})$/;
const ASSIGNS = /(?:^|[;&|({\s])([A-Za-z_]\w{0,60})(?:\+?=|\+\+|--)|\(\( ?(?:\+\+|--)?([A-Za-z_]\w{0,60})/gm;
const SOURCES = /(?:^|[;&|\s])(?:\.|source)\s+\S/m;

export function isShell(path: string): boolean {
  return languageOf(path)?.name === 'shell';
}

/** `tests`: texts of the shell scripts that judge, as they were at the baseline. */
export function fixedNameSigns(changes: readonly FileChange[], tests: readonly string[]): readonly Sign[] {
  const sourcing = tests.filter((text) => SOURCES.test(text));
  if (sourcing.length === 0) return [];
  return addedLines(changes.flatMap(readChange)).flatMap(({ change, lines }) => {
    const { after } = change;
    if (after === undefined) return [];
    const name = change.path.slice(change.path.lastIndexOf('/') + 1);
    // Without a first line for the system, a file is meant to be sourced.
    const users = sourcing.filter((text) => !hasShebang(after) || text.includes(name));
    const assigned = new Set(users.flatMap(assignedIn));
    return lines
      .filter(({ code }) => fixedIn(code).some((one) => assigned.has(one)))
      .map((line) => signOf('patches-tests', change.path, line));
  });
}

function readChange({ path, isTest, before, after }: FileChange): Change[] {
  const language = languageOf(path);
  if (isTest || language?.name !== 'shell') return [];
  const [old, now] = [before, after].map((text) => (text === undefined ? undefined : readSource(path, text, language)));
  return [{ path, isTest, before: old, after: now }];
}

/** The names in `readonly a=1 b`. */
function fixedIn(code: string): readonly string[] {
  const rest = ATTRIBUTES.exec(code)?.[1] ?? '';
  return [...rest.matchAll(/(?<= )([A-Za-z_]\w{0,60})(?==|\s|$|;)/g)].map(([, name = '']) => name);
}

function assignedIn(text: string): readonly string[] {
  return [...text.matchAll(ASSIGNS)].slice(0, NAMES_MAX).map(([, name, other]) => name ?? other ?? '');
}
