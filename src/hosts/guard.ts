import { shellWord } from '../core/shell-word.ts';
import type { HostId } from './ids.ts';

/**
 * Which sessions start the hook: the one that a loop was armed for; the same before a tool, but only if that loop has an iteration timeout
 * or the payload contains a word of ours (`toolWords`); any session while some loop of this host is armed; or every session.
 */
export type WakeScope = 'own-session' | 'tool-session' | 'any-session' | 'always';

/** One hook of a host. */
export type GuardedHook = {
  readonly wake: WakeScope;
  /** Additional arguments of the hook. */
  readonly words?: readonly string[];
  /** The host may exit while the hook runs, and ends it too (`SIGTERM`): the event is recorded anyway. */
  readonly outlives?: true;
};

/** Absolute paths. `script`: the hook, one CommonJS file. */
export type GuardPlace = { readonly home: string; readonly node: string; readonly script: string };

/** What the hooks of one host have in common. */
export type GuardedHost = {
  readonly host: HostId;
  /** Its name for people. */
  readonly title: string;
  /** The variable that names the session before the payload is read; `null` = the host has none. */
  readonly sessionVariable: string | null;
  readonly drainInput: boolean;
  /** The reply that notifies the user that the program is missing (Node was updated, tireless was removed). */
  readonly whenGone: string;
  /** The reply to a command of ours, so that the model does not have to guess what it means. */
  readonly whenCommandGone: string;
};

/** An argument of a hook whose exit code 2 wakes the agent of its session. */
export const WAKE_WORD = '--wake';

/** An argument of a hook that only the full program answers. */
export const NOTICE_WORD = '--notice';

/**
 * Node 18 to 26 know all of them; an unknown flag would end Node at once. A stop is too short for optimized code, which costs a thread,
 * five megabytes and, after a long message, a fifth of the CPU time. Node spends a tenth of its start on rehashing its own names, which
 * only protects servers against collisions. And there is no work for four more threads.
 */
export const NODE_FLAGS: readonly string[] = ['--no-opt', '--no-rehash-snapshot', '--v8-pool-size=1'];

/** The values of `on` in the script of a host. */
type HookName = 'own' | 'notice' | 'tool' | 'any' | 'always' | 'end' | 'failure';

const NAMES: Readonly<Record<WakeScope, HookName>> = {
  'own-session': 'own',
  'tool-session': 'tool',
  'any-session': 'any',
  always: 'always',
};

export function hookName({ wake, words = [], outlives }: GuardedHook): HookName {
  if (words.includes(NOTICE_WORD)) return 'notice';
  if (outlives !== true) return NAMES[wake];
  return words.includes(WAKE_WORD) ? 'failure' : 'end';
}

/** Below the home, which no tool call of an agent may name: an agent that could change this script could reply for us. */
export function guardFolder(home: string): string {
  return `${home}/hooks`;
}

/** `more`: distinguishes it from the script of the host itself. */
export function guardFile(home: string, host: HostId, more = ''): string {
  return `${guardFolder(home)}/${host}${more === '' ? '' : `-${more}`}.sh`;
}

/**
 * The line in the settings of a host. It sources the script into the shell that runs the line, which costs no process. It tests for the
 * script first: a shell that sources a missing file exits with 2, and some hosts then send the agent back. Gemini CLI and Qwen Code expand
 * environment variables in their settings: no variable has this name.
 */
export function guardLine(file: string, on: string, drainInput: boolean): string {
  const word = quoted(file);
  const script = word === file ? '$tireless' : '"$tireless"';
  return `on=${on} tireless=${word}; [ -r ${script} ] && . ${script}; ${drainInput ? 'exec cat >/dev/null' : 'exit 0'}`;
}

/** The script that a line of ours reads; `undefined` = none. */
export function scriptOf(line: string): string | undefined {
  const [, word] = /(?:^|[;\s])on=[\w-]+ tireless=((?:'[^']*'|\\'|[^\s';])+); \[ -r /u.exec(line) ?? [];
  return word === undefined ? undefined : unquoted(word);
}

/**
 * Runs at every stop and every tool of every session, with or without a loop. Without a loop it costs as much as `sh`: it tests for one
 * file and does not start Node. That file is outside the repository, so no clone can start the hook. Certificates and Node options that the
 * user set for other programs are removed: they would cost more than all the work of the hook. `on`: which hook it is.
 */
export function guardScript(guarded: GuardedHost, place: GuardPlace): string {
  return `${opening(guarded, place)}
case $on in
  always) ;;
  any) any armed || leave ;;
  *) own armed || leave ;;
esac

${withoutProgram(guarded)}
${withProgram(place.home)}`;
}

function opening(guarded: GuardedHost, { home, node, script }: GuardPlace): string {
  const { host, title, sessionVariable, drainInput } = guarded;
  const own = sessionVariable === null ? 'own() { any "$1"; }' : ownFunction(host, sessionVariable);
  return `# What the hooks of ${title} run. Written by "tireless install", removed by "tireless uninstall".
# Without a loop it looks for one file and starts nothing. $on says which hook it is: own (only in the session of a loop), tool (the same,
# before a tool), notice (the same, when the host waits for the user), any (while any loop is armed), always, end and failure (like own, when
# the agent may be exiting).
home=${quoted(home)}
node=${quoted(node)}
script=${quoted(script)}

any() { for mark in "$home/$1/${host}"/*; do [ -e "$mark" ]; return; done; }
${own}
leave() { ${drainInput ? 'exec cat >/dev/null' : 'exit 0'}; }
tell() { printf '%s\\n' "$1"; exit 0; }
ask() { NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec "$node" ${NODE_FLAGS.join(' ')} "$script" ${host} "$home" "$@"; }
`;
}

function ownFunction(host: HostId, sessionVariable: string): string {
  return `${ODD_FUNCTION}
own() { [ -n "$${sessionVariable}" ] && if odd "$${sessionVariable}"; then any "$1"; else [ -e "$home/$1/${host}/$${sessionVariable}" ]; fi; }`;
}

/**
 * Is the session's mark named differently from its id? Names are escaped, so that no two ids share one on a file system that folds case
 * (`pathPart`). A shell cannot escape without starting a process, so any loop wakes such a session, and the hook checks precisely. The
 * letters are listed, because in some locales `a-z` contains capitals.
 */
const ODD_FUNCTION = `# An id that cannot be a file name: with capitals, for example.
odd() {
  case $1 in
    -* | *[!0123456789abcdefghijklmnopqrstuvwxyz_-]* | con | prn | aux | nul | clock | conin | conout | com[0-9] | lpt[0-9]) ;;
    *) [ \${#1} -gt 100 ] ;;
  esac
}`;

/** The script contains these paths until the next install. The message is a reply, because hosts hide or decorate the errors of a hook. */
function withoutProgram({ drainInput, whenGone, whenCommandGone }: GuardedHost): string {
  return `# tireless, or its Node, is gone: the agent works as if tireless were not installed. A command of tireless is answered here, not by a model.
if [ ! -x "$node" ] || [ ! -f "$script" ]; then
  gone=${quoted(whenGone)}
  case $on in
    tool | notice) leave ;;
    always)
      case $(cat) in
        ${typedCommands()}) tell ${quoted(whenCommandGone)} ;;
        *ralph*) tell "$gone" ;;
      esac
      exit 0
      ;;
  esac
${drainInput ? '  cat >/dev/null\n' : ''}  tell "$gone"
fi
`;
}

function withProgram(home: string): string {
  const words = toolWords(home).map((word) => `*${quoted(word)}*`);
  return `case $on in
  tool)
    # Every tool of a loop whose iterations have a time; else only one that names tireless or its files.
    own timed && ask
    said=$(cat)
    case $said in ${words.join(' | ')}) printf %s "$said" | ask ;; esac
    exit
    ;;
  notice) ask ${NOTICE_WORD} ;;
  end | failure)
    # The agent kills this when it exits. sh can ignore that, Node cannot while it starts: then it is started once more.
    trap '' TERM
    if [ "$on" = failure ]; then set -- ${WAKE_WORD}; else set --; fi
    said=$(cat)
    for try in 1 2; do
      printf %s "$said" | ask "$@"
      code=$?
      [ $code -lt 128 ] || [ $code -eq 137 ] && break
    done
    exit "$code"
    ;;
esac
set --
ask
`;
}

/** Lines that set `$mark` to the name of the file that exists while a session has an open loop. `null`: of any session, because none is named. */
export function markLines(sessionVariable: string | null): string {
  if (sessionVariable === null) return `mark='*'`;
  const session = `"$${sessionVariable}"`;
  return `${ODD_FUNCTION}
mark=none
[ -n ${session} ] && if odd ${session}; then mark='*'; else mark=${session}; fi`;
}

/** That file, as one word for a shell that has run `markLines`. It is a pattern: `$mark` is a plain name or `*`. */
export function openLoopMark(home: string, host: HostId): string {
  return `${quoted(`${home}/armed/${host}/`)}$mark`;
}

/** Every call of tireless, and every access to its home, contains one of these: its name, the variable, or the end of the path of a home with another name. */
function toolWords(home: string): readonly string[] {
  const end = home.split('/').slice(-2).join('/');
  return ['tireless', 'TIRELESS', ...(end === '' || end.includes('tireless') ? [] : [end])];
}

/** How a payload contains a prompt with one of our commands: as typed, as a notice of Droid, as a skill of Copilot. */
const COMMAND_STARTS = ['"prompt":"/', '"prompt":"$', '"prompt":"<system-notification>\\n\\n/', ' invoked the \\"/'];

function typedCommands(): string {
  return COMMAND_STARTS.flatMap((start) => ['ralph', 'cancel-ralph'].map((name) => `*${quoted(start + name)}*`)).join(
    ' | ',
  );
}

export function whenProgramMissing([node, script]: readonly [string, string], then: string): string {
  return `[ -x ${quoted(node)} ] && [ -f ${quoted(script)} ] || ${then}`;
}

export function goneLine(reply: string, drainInput: boolean): string {
  return `{ ${drainInput ? 'cat >/dev/null; ' : ''}printf '%s\\n' ${quoted(reply)}; exit 0; }`;
}

/**
 * `sh` can ignore SIGTERM, but Node cannot during its start, so a Node that was killed is started again. After a `kill -9` by hand it may
 * already be waiting.
 */
export function repeatWhenKilled(program: string): string {
  return `{ trap '' TERM; said=$(cat); for try in 1 2; do printf %s "$said" | ${program}; code=$?; [ $code -lt 128 ] || [ $code -eq 137 ] && break; done; }`;
}

export function quoted(word: string): string {
  return shellWord(word);
}

/** The inverse of `quoted`. */
export function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|\\(')/gu,
    (_, inner: string | undefined, sign: string | undefined) => inner ?? sign ?? '',
  );
}
