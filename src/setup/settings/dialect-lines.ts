import type { DialectName } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import { goneLine, openLoopMark, quoted, whenProgramMissing, repeatWhenKilled } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/host.ts';
import type { DialectHookCall, WindowsWay } from '../../hosts/setup.ts';
import { windowsCall } from '../../hosts/windows-call.ts';
import type { Program } from '../../system/settings-files.ts';

export type DialectHookOptions = {
  readonly host: HostId;
  readonly home: string;
  readonly project: string;
  /** The variable that names it to a hook; absent = its path is written down. */
  readonly projectVariable?: string | undefined;
  /** The variable that names the session to a hook; `null` or absent = none does. */
  readonly sessionVariable?: string | null;
  /** Where the host keeps the tasks of a session, as a word for a shell; absent = it keeps none in files. */
  readonly taskList?: string | undefined;
  readonly program: Program;
  readonly drainInput: boolean;
  /** The reply that tells the user that the program is not where it was. */
  readonly whenGone: string;
  /** The time of one iteration; absent = no limit. */
  readonly iterationTimeoutMs?: number | undefined;
  /** The host may end while it runs. */
  readonly outlives?: true;
  /** Absent = there is a POSIX shell. */
  readonly windows?: WindowsWay | undefined;
};

/** On Windows nothing asks for the file first: the program does. */
export function dialectCall(name: DialectName, place: DialectHookOptions): DialectHookCall {
  const { home, windows, taskList } = place;
  if (windows !== undefined) return windowsCall(wordsOf(name, place), { TIRELESS_HOME: home }, windows);
  const line = dialectLine(name, place);
  if (taskList === undefined || DIALECTS[name].remindsOfTasks !== true) return { line };
  return { line, atPrompt: { line: dialectLine(name, place, [`${taskList}/*.json`]) } };
}

/**
 * Asks for the file, and starts Node only where it is. A session whose loop is open wakes it too: people stop a loop by deleting its file.
 * `more`: other files that wake it, as words for a shell.
 */
export function dialectLine(name: DialectName, place: DialectHookOptions, more: readonly string[] = []): string {
  const { host, home, project, projectVariable, sessionVariable = null, drainInput, whenGone, program } = place;
  const root = projectVariable === undefined ? quoted(project) : `"$${projectVariable}"`;
  const open = sessionVariable === null ? [] : [openLoopMark(home, host, sessionVariable)];
  const files = [...DIALECTS[name].files.map((file) => `${root}/${file}`), ...open, ...more].join(' ');
  const ready = whenProgramMissing([program.node, program.cli], goneLine(whenGone, drainInput));
  const call = `TIRELESS_HOME=${quoted(home)} exec ${wordsOf(name, place).map(quoted).join(' ')}`;
  const run = place.outlives === true ? `${repeatWhenKilled(call)}; exit 0` : call;
  return `for file in ${files}; do [ -e "$file" ] && { ${ready}; ${run}; }; done; ${drainInput ? 'exec cat >/dev/null' : 'exit 0'}`;
}

function wordsOf(
  name: DialectName,
  { host, program, iterationTimeoutMs: time }: DialectHookOptions,
): readonly string[] {
  const words = [program.node, program.cli, 'hook', host, '--dialect', name, '--reply', 'json'];
  return time === undefined ? words : [...words, '--iteration-timeout', `${time}ms`];
}
