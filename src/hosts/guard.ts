import type { HostId } from './host.ts';

/** Which sessions wake the hook: the one a loop was armed for, any while some loop of this host is armed, or every one. */
export type Wake = 'own-session' | 'any-session' | 'always';

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
};

/** A stop is over before optimized code would pay: making it costs a thread and five megabytes. */
export const NODE_FLAGS: readonly string[] = ['--no-opt'];

/**
 * The line of shell that a host runs at every stop of every session, loop or no loop. Without a loop it costs what `sh` costs: it asks for
 * one file and starts no Node. The file stands outside the repository, so no clone can wake it. Certificates and options that the user set
 * for their own programs would cost the hook more than all its work.
 */
export function guardLine({ host, wake, sessionVariable, drainInput, words = [] }: Guarded, place: GuardPlace): string {
  const { home, node, script } = place;
  const run = `NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec ${[node, ...NODE_FLAGS, script, host, home, ...words].map(quoted).join(' ')}`;
  const leave = drainInput ? 'exec cat >/dev/null' : 'exit 0';
  const armed = quoted(`${home}/armed/${host}/`);
  if (wake === 'always') return run;
  if (wake === 'own-session' && sessionVariable !== null) {
    return `[ -n "$${sessionVariable}" ] && [ -e ${armed}"$${sessionVariable}" ] || ${leave}; ${run}`;
  }
  return `for loop in ${armed}*; do [ -e "$loop" ] && ${run}; break; done; ${leave}`;
}

/** One word for a POSIX shell, whatever is in it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
