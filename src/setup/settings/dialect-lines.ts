import type { DialectName } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import { goneLine, quoted, unlessThere, untilHeard } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/host.ts';
import type { HookCall, WindowsWay } from '../../hosts/setup.ts';
import { windowsCall } from '../../hosts/windows-call.ts';
import type { Program } from '../../system/settings-files.ts';

export type DialectHookOptions = {
  readonly host: HostId;
  readonly home: string;
  readonly project: string;
  /** The variable that names it to a hook; absent = its path is written down. */
  readonly projectVariable?: string | undefined;
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
export function dialectCall(name: DialectName, place: DialectHookOptions): HookCall {
  const { home, windows } = place;
  if (windows === undefined) return { line: dialectLine(name, place) };
  return windowsCall(wordsOf(name, place), { TIRELESS_HOME: home }, windows);
}

/** Asks for the file, and starts Node only where it is. */
export function dialectLine(name: DialectName, place: DialectHookOptions): string {
  const { home, project, projectVariable, drainInput, whenGone, program } = place;
  const root = projectVariable === undefined ? quoted(project) : `"$${projectVariable}"`;
  const files = DIALECTS[name].files.map((file) => `${root}/${file}`).join(' ');
  const ready = unlessThere([program.node, program.cli], goneLine(whenGone, drainInput));
  const call = `TIRELESS_HOME=${quoted(home)} exec ${wordsOf(name, place).map(quoted).join(' ')}`;
  const run = place.outlives === true ? `${untilHeard(call)}; exit 0` : call;
  return `for file in ${files}; do [ -e "$file" ] && { ${ready}; ${run}; }; done; ${drainInput ? 'exec cat >/dev/null' : 'exit 0'}`;
}

function wordsOf(
  name: DialectName,
  { host, program, iterationTimeoutMs: time }: DialectHookOptions,
): readonly string[] {
  const words = [program.node, program.cli, 'hook', host, '--dialect', name, '--reply', 'json'];
  return time === undefined ? words : [...words, '--iteration-timeout', `${time}ms`];
}
