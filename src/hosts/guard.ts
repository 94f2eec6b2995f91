import { shellWord } from '../core/shell-word.ts';
import type { HostId } from './host.ts';

/**
 * Which sessions wake the hook: the one a loop was armed for; the same before a tool, but only if that loop holds its iterations to a time
 * or the payload holds a word of ours (`toolWords`); any while some loop of this host is armed; or every one.
 */
export type Wake = 'own-session' | 'tool-session' | 'any-session' | 'always';

/** Where the parts stand, absolute. `script`: the hook, one CommonJS file. */
export type GuardPlace = { readonly home: string; readonly node: string; readonly script: string };

export type Guarded = {
  readonly host: HostId;
  readonly wake: Wake;
  /** The variable that names the session before the payload is read; `null` = the host has none. */
  readonly sessionVariable: string | null;
  readonly drainInput: boolean;
  /** What the hook is told beside the host. */
  readonly words?: readonly string[];
  /** The host may end while the hook runs, and ends it too (`SIGTERM`): what happened is written down all the same. */
  readonly outlives?: true;
  /** The reply that tells the user that the program is not where it was (Node was updated, tireless was removed); absent = none. */
  readonly whenGone?: string;
  /** The same to a command of ours: the model is not asked what it may mean. */
  readonly whenCommandGone?: string;
};

/**
 * All known to Node 18 to 26; one that is not would end it at once. A stop is over before optimized code would pay: making it costs a thread,
 * five megabytes and, after a long message, a fifth of all its CPU. A tenth of the start of Node goes into new hashes for all names that it
 * knows, so that nobody who sends it names can choose some that collide: for servers. Nor is there work for four threads beside its own.
 */
export const NODE_FLAGS: readonly string[] = ['--no-opt', '--no-rehash-snapshot', '--v8-pool-size=1'];

/**
 * The line of shell that a host runs at every stop and every tool of every session, loop or no loop. Where there is nothing to say it costs
 * what `sh` costs: it asks for one file and starts no Node. The file stands outside the repository, so no clone can wake it. Certificates and options that the user set
 * for their own programs would cost the hook more than all its work.
 */
export function guardLine(guarded: Guarded, place: GuardPlace): string {
  const { host, wake, sessionVariable, drainInput, words = [], whenGone } = guarded;
  const { home, node, script } = place;
  const program = `NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec ${[node, ...NODE_FLAGS, script, host, home, ...words].map(quoted).join(' ')}`;
  const run = guarded.outlives === true ? `${repeatWhenKilled(program)}; exit "$code"` : program;
  const leave = drainInput ? 'exec cat >/dev/null' : 'exit 0';
  const marks = quoted(`${home}/armed/${host}/`);
  if (wake === 'always') return `${whenProgramMissing([node, script], whenAsked(guarded))}; ${run}`;
  // Before each tool it would be said too often.
  const gone = whenGone === undefined || wake === 'tool-session' ? `{ ${leave}; }` : goneLine(whenGone, drainInput);
  const asked = wake === 'tool-session' ? beforeTool(guarded, place, program) : run;
  const ready = `${whenProgramMissing([node, script], gone)}; ${asked}`;
  if (wake !== 'any-session' && sessionVariable !== null) {
    return `[ -n "$${sessionVariable}" ] && [ -e ${marks}"$${sessionVariable}" ] || ${leave}; ${ready}`;
  }
  return `for loop in ${marks}*; do [ -e "$loop" ] && { ${ready}; }; break; done; ${leave}`;
}

/** The file that says that a session has an open loop, as one word for a shell: that of no session where the variable is empty. */
export function openLoopMark(home: string, host: HostId, sessionVariable: string): string {
  return `${quoted(`${home}/armed/${host}/`)}"\${${sessionVariable}:-none}"`;
}

/** With a time every tool is asked about; else only one whose payload holds a word of ours. What `sh` and `cat` cost is all the others pay. */
function beforeTool({ host, sessionVariable }: Guarded, { home }: GuardPlace, program: string): string {
  const marks = quoted(`${home}/timed/${host}/`);
  const timed =
    sessionVariable === null
      ? `for timed in ${marks}*; do [ -e "$timed" ] && { ${program}; }; break; done`
      : `[ -e ${marks}"$${sessionVariable}" ] && { ${program}; }`;
  const words = toolWords(home).map((word) => `*${quoted(word)}*`);
  return `${timed}; said=$(cat); case $said in ${words.join('|')}) printf %s "$said" | ${program};; esac; exit`;
}

/** Who calls tireless, or touches its home, says one of these: its name, the variable, or the end of the path of a home with another name. */
function toolWords(home: string): readonly string[] {
  const end = home.split('/').slice(-2).join('/');
  return ['tireless', 'TIRELESS', ...(end === '' || end.includes('tireless') ? [] : [end])];
}

/** The paths stand in the settings of a host for as long as nobody installs anew. What is said instead is a reply: a host hides or dresses up the errors of a hook. */
export function whenProgramMissing([node, script]: readonly [string, string], then: string): string {
  return `[ -x ${quoted(node)} ] && [ -f ${quoted(script)} ] || ${then}`;
}

/** How a payload holds a prompt that is a command of ours: as it was typed, as a notice of Droid, as a skill of Copilot. */
const COMMAND_STARTS = ['"prompt":"/', '"prompt":"$', '"prompt":"<system-notification>\\n\\n/', ' invoked the \\"/'];

/** A prompt that names none of our commands is none of our business. */
function whenAsked({ whenGone = '', whenCommandGone = whenGone }: Guarded): string {
  const typed = COMMAND_STARTS.flatMap((start) => ['ralph', 'cancel-ralph'].map((name) => `*${quoted(start + name)}*`));
  const told = [`${typed.join('|')}) ${print(whenCommandGone)}`, `*ralph*) ${print(whenGone)}`];
  return `{ case $(cat) in ${told.join(';; ')};; esac; exit 0; }`;
}

function print(reply: string): string {
  return `printf '%s\\n' ${quoted(reply)}`;
}

export function goneLine(reply: string, drainInput: boolean): string {
  return `{ ${drainInput ? 'cat >/dev/null; ' : ''}${print(reply)}; exit 0; }`;
}

/** Told to a hook whose exit code 2 wakes the agent of its session. */
export const WAKE_WORD = '--wake';

/** `sh` can ignore SIGTERM, Node cannot while it starts: a Node that was killed is started once more. By hand (`kill -9`) it may wait already. */
export function repeatWhenKilled(program: string): string {
  return `{ trap '' TERM; said=$(cat); for try in 1 2; do printf %s "$said" | ${program}; code=$?; [ $code -lt 128 ] || [ $code -eq 137 ] && break; done; }`;
}

export function quoted(word: string): string {
  return shellWord(word);
}
