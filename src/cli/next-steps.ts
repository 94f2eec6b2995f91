import type { HostId } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';

/** What to type now that the hooks are installed: in a new session of each host, and in the terminal. */
export function nextSteps(hosts: readonly HostId[], check: string): readonly string[] {
  const all = [...new Set(hosts)];
  return [
    '',
    'Next, in a new session of your agent:',
    ...all.map((host) => {
      const { title, commandPrefix } = HOSTS[host].capabilities;
      return `  ${title}:  ${commandPrefix}ralph "make the tests pass" --check "${check}"`;
    }),
    'First, if you want to see the hooks work:',
    `  tireless doctor ${all.join(' ')}`,
  ];
}
