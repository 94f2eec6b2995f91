import type { GuardedHook, GuardPlace } from './guard.ts';
import { NODE_FLAGS } from './guard.ts';
import type { HostId } from './ids.ts';
import type { HookCall, WindowsWay } from './setup.ts';

/** Settings for the user's own programs would cost more than all the work of the hook. */
const EMPTIED = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'] as const;

/**
 * How a host on Windows starts the hook. Node itself tests for a loop, because a shell costs more there than Node. No line works in every
 * shell either: Claude Code has Git Bash or PowerShell, but also starts a program without one; the others have PowerShell.
 */
export function windowsHook(
  { host, words = [] }: GuardedHook & { readonly host: HostId },
  { home, node, script }: GuardPlace,
  way: WindowsWay,
): HookCall {
  return windowsCall([node, ...NODE_FLAGS, script, host, home, ...words], {}, way);
}

/** The first word is the program. `variables`: for its environment. */
export function windowsCall(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  { shell, isNamed }: WindowsWay,
): HookCall {
  const [program = '', ...args] = words;
  if (shell === 'none' && Object.keys(variables).length === 0) return { line: program, otherKeys: { args } };
  return { line: inPowerShell(words, variables), ...(isNamed === true ? { otherKeys: { shell: 'powershell' } } : {}) };
}

/**
 * The words of a call, to recognise our own. In someone else's call it finds anything that looks like words, and it splits a line of POSIX
 * shell with quotes in the wrong places.
 */
export function windowsWords({ line, otherKeys }: HookCall): readonly string[] {
  if (otherKeys?.args !== undefined) return [line, ...otherKeys.args];
  return (line.match(/'(?:[^'‘’‚‛]|['‘’‚‛]{2})*'|[^\s'();]+/gu) ?? []).map((word) =>
    word.startsWith("'") ? word.slice(1, -1).replaceAll(/(['‘’‚‛])\1/gu, '$1') : word,
  );
}

/** Only single quotes: the host passes the line as one word, and the fate of a double quote is unknown. */
function inPowerShell(words: readonly string[], variables: Readonly<Record<string, string>>): string {
  const set = Object.entries(variables).map(([name, value]) => `$env:${name}=${quoted(value)}; `);
  const empty = EMPTIED.map((name) => `$env:${name}=$null; `);
  return `${[...set, ...empty].join('')}& ${words.map(quoted).join(' ')}; exit $LASTEXITCODE`;
}

/** PowerShell treats typographic quotes as single quotes too. */
function quoted(word: string): string {
  return `'${word.replaceAll(/['‘’‚‛]/gu, '$&$&')}'`;
}
