import type { Guarded, GuardPlace } from './guard.ts';
import { markFolder, NODE_FLAGS } from './guard.ts';

/**
 * The same guard for `cmd.exe`. Made after its manual, not run on Windows yet. The session comes in by delayed expansion (`!NAME!`), which
 * happens after the line was parsed: whatever stands in the variable is no command. A path with `!` or `%` in it cannot be said here, and
 * nobody is woken then.
 */
export function guardLineWindows(guarded: Guarded, { home, node, script }: GuardPlace): string {
  const { host, wake, sessionVariable, drainInput, words = [] } = guarded;
  // What the user set for their own programs would cost the hook more than all its work.
  const run = `set "NODE_EXTRA_CA_CERTS=" & set "NODE_OPTIONS=" & ${[node, ...NODE_FLAGS, script, host, home, ...words].map(quoted).join(' ')}`;
  const leave = drainInput ? ' else (findstr "^" >nul & exit 0)' : '';
  if (wake === 'always') return shell(run);
  const marks = `${home}\\${markFolder(wake)}\\${host}\\`;
  if (wake !== 'any-session' && sessionVariable !== null) {
    // Without the variable the path would be that of the folder, which is always there.
    const otherwise = drainInput ? leave : '';
    return shell(
      `if defined ${sessionVariable} (if exist "${marks}!${sessionVariable}!" (${run})${otherwise})${otherwise}`,
    );
  }
  return shell(`if exist "${marks}*" (${run})${leave}`);
}

/** `/s`: exactly the outer quotes are taken off. `/v:on`: delayed expansion. `/d`: nothing of the registry runs first. */
function shell(line: string): string {
  return `cmd /d /s /v:on /c "${line}"`;
}

/** No path of Windows has a quote in it, and our own words have none. */
function quoted(word: string): string {
  return /^[\w:\\./-]+$/u.test(word) ? word : `"${word.replaceAll('"', '')}"`;
}
