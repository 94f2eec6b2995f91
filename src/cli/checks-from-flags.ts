import path from 'node:path';
import { Fault, messageOf } from '../core/fault.ts';
import type { CheckSpec, Probe } from '../core/loop.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../core/loop.ts';
import { withUniqueNames } from '../engine/unique-check-names.ts';
import { oneLine } from '../views/printable.ts';
import type { RunFlags } from './loop-flags.ts';

const NAME_CHARS_MAX = 60;
/** Two colons and white space, so that `npm run test:unit` and `std::vector` are still read as commands. */
const NAMED = /^([\w-]+)::(?:\s+|$)/;

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

/** The checks that were typed, in the order of the help. */
export function checksFromFlags(flags: CheckFlags): readonly CheckSpec[] {
  const timeoutMs = flags['check-timeout'] ?? DEFAULT_CHECK_TIMEOUT_MS;
  const shown = (name: string, probe: Probe): CheckSpec => ({ name, probe, timeoutMs, holdout: false });
  const typed = [
    ...flags.check.map((given) => commandCheck(given, { timeoutMs, holdout: false })),
    ...flags['check-exists'].map((file) =>
      shown(`exists ${file}`, { kind: 'file-exists', path: inProject(file, '--check-exists') }),
    ),
    ...flags['check-matches'].map(matchesCheck).map(([name, probe]) => shown(name, probe)),
    ...flags['check-json'].map(jsonCheck).map(([name, probe]) => shown(name, probe)),
    ...(flags['check-git-clean'] ? [shown('git clean', { kind: 'git-clean' })] : []),
    ...movedCheck(flags).map(([name, probe]) => shown(name, probe)),
    // The name is shown to the agent ("a hold-out check fails"), the command never is.
    ...flags.holdout.map((given, index) =>
      commandCheck(given, { timeoutMs, holdout: true, name: `holdout-${index + 1}` }),
    ),
  ];
  return flags['check-report'].reduce(withReport, withUniqueNames(withShortNames(typed)));
}

/** A report belongs to the check named before it, or to the only command among the checks. */
function withReport(checks: readonly CheckSpec[], given: string): readonly CheckSpec[] {
  const named = NAMED.exec(given);
  const report = reportPattern(named === null ? given : given.slice(named[0].length), '--check-report');
  const commands = checks.filter((check) => check.probe.kind === 'command');
  const shown = commands.filter((check) => !check.holdout);
  const [owner, ...others] = named === null ? shown : commands.filter((check) => check.name === named[1]);
  if (owner === undefined)
    throw new Fault(
      'USAGE',
      named === null
        ? `Cannot use --check-report ${oneLine(report, NAME_CHARS_MAX)} without a command that writes it. Add --check CMD.`
        : `Cannot use --check-report for "${named[1]}": no command has this name. Name one: --check "${named[1]}:: CMD".`,
    );
  if (others.length > 0)
    throw new Fault(
      'USAGE',
      `Cannot tell which check writes ${oneLine(report, NAME_CHARS_MAX)}. Name both: --check "unit:: CMD" --check-report "unit:: ${oneLine(report, NAME_CHARS_MAX)}".`,
    );
  return checks.map((check) => (check === owner ? { ...check, reports: [...(check.reports ?? []), report] } : check));
}

/** A path or a glob inside the project: a run in the clean room does not write anything elsewhere. */
export function reportPattern(given: string, flag: string): string {
  const pattern = inProject(given.trim(), flag);
  if (pattern === '.' || pattern.split('/').includes('..'))
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(given, NAME_CHARS_MAX)}" for ${flag}: it takes a file inside the project.`,
    );
  return pattern;
}

/** Short enough for a line of a report. */
export function withShortNames(checks: readonly CheckSpec[]): readonly CheckSpec[] {
  return checks.map((check) => ({ ...check, name: oneLine(check.name, NAME_CHARS_MAX) }));
}

function commandCheck(given: string, options: { timeoutMs: number; holdout: boolean; name?: string }): CheckSpec {
  const named = NAMED.exec(given);
  const command = named === null ? given : given.slice(named[0].length);
  if (command.trim() === '')
    throw new Fault(
      'USAGE',
      `Cannot use an empty command for ${options.holdout ? '--holdout' : '--check'}. Give the command to run, such as --check "npm test".`,
    );
  const { timeoutMs, holdout } = options;
  return { name: named?.[1] ?? options.name ?? command, probe: { kind: 'command', command }, timeoutMs, holdout };
}

function matchesCheck(given: string): readonly [string, Probe] {
  const at = given.indexOf('::');
  const file = given.slice(0, Math.max(0, at));
  const pattern = given.slice(at + 2);
  if (at < 1 || pattern === '')
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(given, NAME_CHARS_MAX)}" for --check-matches: it takes PATH::REGEX, such as CHANGELOG.md::^## 2\\.0.`,
    );
  requireRegExp(pattern);
  return [`${file} matches ${pattern}`, { kind: 'file-matches', path: inProject(file, '--check-matches'), pattern }];
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

function jsonCheck(given: string): readonly [string, Probe] {
  const parts = /^([^#]+)#((?:\/[^=]*)?)=(.+)$/s.exec(given);
  const [, file, pointer, wanted] = parts ?? [];
  if (file === undefined || pointer === undefined || wanted === undefined) {
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(given, NAME_CHARS_MAX)}" for --check-json: it takes FILE#/POINTER=JSON, such as package.json#/version="2.0.0".`,
    );
  }
  return [
    `${file}#${pointer} = ${wanted}`,
    { kind: 'json-value', path: inProject(file, '--check-json'), pointer, equals: parseJson(wanted) },
  ];
}

function parseJson(wanted: string): unknown {
  try {
    return JSON.parse(wanted);
  } catch (error) {
    throw new Fault(
      'USAGE',
      `Cannot use ${oneLine(wanted, NAME_CHARS_MAX)} for --check-json: it is not JSON. A text needs double quotes: '"done"'.`,
      { cause: error },
    );
  }
}

function movedCheck(flags: CheckFlags): readonly (readonly [string, Probe])[] {
  const file = flags['watch-file'];
  const folder = flags['done-folder'];
  if (file === undefined && folder === undefined) return [];
  if (file === undefined || folder === undefined) {
    throw new Fault(
      'USAGE',
      'Cannot use --watch-file or --done-folder alone: the loop finishes when the file is moved into the folder. Give both.',
    );
  }
  return [
    [
      `${file} moved to ${folder}`,
      { kind: 'file-moved', path: inProject(file, '--watch-file'), folder: inProject(folder, '--done-folder') },
    ],
  ];
}

/** Paths of a spec are relative to the project, so that a loop can move to another machine. */
export function inProject(given: string, flag: string): string {
  if (given === '' || path.isAbsolute(given) || path.win32.isAbsolute(given)) {
    throw new Fault('USAGE', `Cannot use "${given}" for ${flag}: it takes a path relative to the project.`);
  }
  return path.normalize(given).split(path.sep).join('/');
}
