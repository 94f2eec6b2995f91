import type { GuardedHook, GuardPlace } from '../../src/hosts/guard.ts';
import { guardScript, hookName } from '../../src/hosts/guard.ts';
import type { HostId } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';

/** What a host runs at a hook, without a file in between: the script, with the name of the hook. */
export function guardCall(host: HostId, hook: GuardedHook, place: GuardPlace): string {
  const { sessionVariable, drainInput, title } = HOSTS[host].capabilities;
  const script = guardScript(
    { host, title, sessionVariable, drainInput, whenGone: 'GONE', whenCommandGone: 'REFUSED' },
    place,
  );
  return `on=${hookName(hook)}\n${script}`;
}
