import type { DialectName } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import {
  goneLine,
  markLines,
  openLoopMark,
  quoted,
  whenProgramMissing,
  repeatWhenKilled,
  WAKE_WORD,
} from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { DialectHookCall, WindowsWay } from '../../hosts/setup.ts';
import { windowsCall } from '../../hosts/windows-call.ts';
import type { Program } from '../../system/settings-files.ts';
import { oneLine } from '../../views/printable.ts';

/** By dialect, then by option name: the values of the options. */
export type HookWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type DialectHookOptions = {
  readonly host: HostId;
  readonly home: string;
  readonly project: string;
  /** The variable with the project's path in a hook; absent = the path is written out. */
  readonly projectVariable?: string | undefined;
  /** The variable with the session's id in a hook; `null` or absent = there is none. */
  readonly sessionVariable?: string | null;
  /** Where the host keeps the tasks of a session, as a shell word; absent = it keeps none in files. */
  readonly taskList?: string | undefined;
  readonly program: Program;
  readonly drainInput: boolean;
  /** The reply that notifies the user that the program has moved or is missing. */
  readonly whenGone: string;
  /** The time of one iteration; absent = no limit. */
  readonly iterationTimeoutMs?: number | undefined;
  /** Options for the hook of each dialect. */
  readonly hookWords?: HookWords | undefined;
  /** The host may exit while the hook runs. */
  readonly outlives?: true;
  /** It waits after a failed turn, and its exit code 2 wakes the agent. */
  readonly wakes?: boolean;
};

const PROJECT_CHARS_MAX = 200;

type Branch = { readonly on: string; readonly lines: readonly string[] };

/** On Windows the program tests for the file, not the shell. */
export function windowsDialectCall(name: DialectName, place: DialectHookOptions, way: WindowsWay): DialectHookCall {
  return windowsCall(wordsOf(name, place), { TIRELESS_HOME: place.home }, way);
}

/**
 * The script of these dialects' hooks. `on` selects the dialect: its name, with `-prompt` before a prompt, `-end` when the agent may be
 * exiting and `-failure` after a failed turn.
 */
export function dialectScript(names: readonly DialectName[], place: DialectHookOptions): string {
  const { title } = HOSTS[place.host].capabilities;
  const { sessionVariable = null } = place;
  const branches = names.flatMap((name): readonly Branch[] => {
    const reminds = place.taskList !== undefined && DIALECTS[name].remindsOfTasks === true;
    return [
      { on: name, lines: dialectLines(name, place) },
      ...(reminds ? [{ on: `${name}-prompt`, lines: dialectLines(name, place, [`${place.taskList}/*.json`]) }] : []),
      { on: `${name}-end`, lines: dialectLines(name, { ...place, outlives: true }) },
      ...(DIALECTS[name].describesErrors
        ? [{ on: `${name}-failure`, lines: dialectLines(name, { ...place, outlives: true, wakes: true }) }]
        : []),
    ];
  });
  return `# What the hooks of ${title} run for state files in ${oneLine(place.project, PROJECT_CHARS_MAX)}.
# Written by "tireless install", removed by "tireless uninstall". Without such a file, nothing is started. $on says which hook it is.
${markLines(sessionVariable)}
case $on in
${branches.map(({ on, lines }) => `  ${on})\n${lines.map((line) => `    ${line}\n`).join('')}    ;;\n`).join('')}esac
${leaveLine(place)}
`;
}

/**
 * Tests for the file, and starts Node only if it exists. A session with an open loop starts it too, because people stop a loop by deleting
 * its file; if the host does not name the session, any session with an open loop does. `more`: other files that start it, as shell words.
 */
function dialectLines(name: DialectName, place: DialectHookOptions, more: readonly string[] = []): readonly string[] {
  const { host, home, project, projectVariable, drainInput, whenGone, program } = place;
  const root = projectVariable === undefined ? quoted(project) : `"$${projectVariable}"`;
  const files = [...DIALECTS[name].files.map((file) => `${root}/${file}`), openLoopMark(home, host), ...more].join(' ');
  const ready = whenProgramMissing([program.node, program.cli], goneLine(whenGone, drainInput));
  const call = `TIRELESS_HOME=${quoted(home)} exec ${wordsOf(name, place).map(quoted).join(' ')}`;
  const run =
    place.outlives === true ? `${repeatWhenKilled(call)}; exit ${place.wakes === true ? '"$code"' : '0'}` : call;
  return [`for file in ${files}; do`, '  [ -e "$file" ] || continue', `  ${ready}`, `  ${run}`, 'done'];
}

function leaveLine({ drainInput }: DialectHookOptions): string {
  return drainInput ? 'exec cat >/dev/null' : 'exit 0';
}

function wordsOf(
  name: DialectName,
  { host, program, iterationTimeoutMs: time, hookWords = {}, wakes = false }: DialectHookOptions,
): readonly string[] {
  const words = [program.node, program.cli, 'hook', host, '--dialect', name, '--reply', 'json'];
  const more = Object.entries(hookWords[name] ?? {}).flatMap(([flag, value]) => [`--${flag}`, value]);
  const timed = time === undefined ? [] : ['--iteration-timeout', `${time}ms`];
  return [...words, ...(wakes ? [WAKE_WORD] : []), ...timed, ...more];
}
