import path from 'node:path';
import { Fault, messageOf } from '../core/fault.ts';
import { splitCheckName } from '../engine/spec/build-checks.ts';
import type { CheckOptions } from '../engine/spec/options.ts';
import { oneLine } from '../views/printable.ts';
import type { RunFlags } from './loop-flags.ts';

const NAME_CHARS_MAX = 60;

type CheckFlags = Pick<
  RunFlags,
  | 'check'
  | 'holdout'
  | 'check-exists'
  | 'check-matches'
  | 'check-json'
  | 'check-git-clean'
  | 'check-report'
  | 'check-timeout'
  | 'watch-file'
  | 'done-folder'
>;

type NamedProbe = NonNullable<CheckOptions['probes']>[number];

/** The typed checks, in the order of the help. */
export function checkOptions(flags: Partial<CheckFlags>): CheckOptions {
  const exists = (flags['check-exists'] ?? []).map((file) => ({
    name: `exists ${file}`,
    probe: { kind: 'file-exists' as const, path: inProject(file, '--check-exists') },
  }));
  return {
    commands: flags.check ?? [],
    holdouts: flags.holdout ?? [],
    probes: [
      ...exists,
      ...(flags['check-matches'] ?? []).map(matchesCheck),
      ...(flags['check-json'] ?? []).map(jsonCheck),
      ...(flags['check-git-clean'] === true ? [{ name: 'git clean', probe: { kind: 'git-clean' as const } }] : []),
      ...movedCheck(flags),
    ],
    reports: (flags['check-report'] ?? []).map((given) => {
      const { name, rest } = splitCheckName(given);
      return { check: name, file: reportPattern(rest, '--check-report') };
    }),
    timeoutMs: flags['check-timeout'],
  };
}

/** A path or a glob inside the project, because a run in the clean room writes nothing elsewhere. */
export function reportPattern(given: string, flag: string): string {
  const pattern = inProject(given.trim(), flag);
  if (pattern === '.' || pattern.split('/').includes('..'))
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(given, NAME_CHARS_MAX)}" for ${flag}: it takes a file inside the project.`,
    );
  return pattern;
}

function matchesCheck(given: string): NamedProbe {
  const colons = given.indexOf('::');
  const file = given.slice(0, Math.max(0, colons));
  const pattern = given.slice(colons + 2);
  if (colons < 1 || pattern === '')
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(given, NAME_CHARS_MAX)}" for --check-matches: it takes PATH::REGEX, such as CHANGELOG.md::^## 2\\.0.`,
    );
  requireRegExp(pattern);
  const at = inProject(file, '--check-matches');
  return { name: `${file} matches ${pattern}`, probe: { kind: 'file-matches', path: at, pattern } };
}

export function requireRegExp(pattern: string): void {
  try {
    void new RegExp(pattern, 'm');
  } catch (error) {
    throw new Fault('USAGE', `Cannot use ${pattern} as a regular expression: ${messageOf(error)}. Correct it.`, {
      cause: error,
    });
  }
}

function jsonCheck(given: string): NamedProbe {
  const parts = /^([^#]+)#((?:\/[^=]*)?)=(.+)$/s.exec(given);
  const [, file, pointer, wanted] = parts ?? [];
  if (file === undefined || pointer === undefined || wanted === undefined) {
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(given, NAME_CHARS_MAX)}" for --check-json: it takes FILE#/POINTER=JSON, such as package.json#/version="2.0.0".`,
    );
  }
  const at = inProject(file, '--check-json');
  const probe = { kind: 'json-value' as const, path: at, pointer, equals: parseJson(wanted) };
  return { name: `${file}#${pointer} = ${wanted}`, probe };
}

function parseJson(wanted: string): unknown {
  try {
    return JSON.parse(wanted);
  } catch (error) {
    throw new Fault(
      'USAGE',
      `Cannot use ${oneLine(wanted, NAME_CHARS_MAX)} for --check-json: it is not JSON. A string needs double quotes: '"done"'.`,
      { cause: error },
    );
  }
}

function movedCheck(flags: Partial<CheckFlags>): readonly NamedProbe[] {
  const file = flags['watch-file'];
  const folder = flags['done-folder'];
  if (file === undefined && folder === undefined) return [];
  if (file === undefined || folder === undefined) {
    throw new Fault(
      'USAGE',
      'Cannot use --watch-file or --done-folder alone: the loop finishes when the file is moved into the folder. Give both.',
    );
  }
  const [from, to] = [inProject(file, '--watch-file'), inProject(folder, '--done-folder')];
  return [{ name: `${file} moved to ${folder}`, probe: { kind: 'file-moved', path: from, folder: to } }];
}

/** Paths of a spec are relative to the project, so that a loop can move to another machine. */
export function inProject(given: string, flag: string): string {
  if (given === '' || path.isAbsolute(given) || path.win32.isAbsolute(given)) {
    throw new Fault('USAGE', `Cannot use "${given}" for ${flag}: it takes a path relative to the project.`);
  }
  return path.normalize(given).split(path.sep).join('/');
}
