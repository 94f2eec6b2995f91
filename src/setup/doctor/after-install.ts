import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { OTHER_NAME } from '../../hosts/typed-command.ts';
import { guessChecks } from '../project-checks.ts';
import type { HostPlan } from '../settings/host-plan.ts';
import { noteLines } from '../settings/plan-lines.ts';
import type { SetupWorld } from '../setup-world.ts';
import { activeWays, twiceText } from './active-twice.ts';
import { hasPlugin, lookAtInstalled } from './examination-look.ts';
import { recordsFor } from './examine-host.ts';

/** What to type now that the hooks are installed: in a new session of each host, and in the terminal. */
export function nextSteps(plans: readonly HostPlan[], project: string): readonly string[] {
  const all = [...new Set(plans.map(({ record }) => record.host))];
  const renamed = new Set(plans.filter(hasOtherName).map(({ record }) => record.host));
  const [check = 'npm test'] = guessChecks(project);
  return [
    '',
    'Next, in a new session of your agent:',
    ...all.map((host) => {
      const { title, commandPrefix } = HOSTS[host].capabilities;
      const name = renamed.has(host) ? `${OTHER_NAME}ralph` : 'ralph';
      return `  ${title}:  ${commandPrefix}${name} "make the tests pass" --check "${check}"`;
    }),
    'To test the hooks first:',
    `  tireless doctor ${all.join(' ')}`,
  ];
}

/** The user already has a command called ralph, so ours gets its other name. */
function hasOtherName({ record }: HostPlan): boolean {
  return record.files.some(
    ({ file }) => file.includes(`/${OTHER_NAME}ralph.`) || file.includes(`/${OTHER_NAME}ralph/`),
  );
}

/**
 * Anything the written files do not show, anything that keeps their hooks from running, and anything else that replies besides them; one
 * sentence each.
 */
export function notesAfterInstall(plan: HostPlan, project: string, world: SetupWorld): readonly string[] {
  const { host } = plan.record;
  const ways = activeWays(host, recordsFor(host, project, world), hasPlugin(host, project, world));
  return [
    ...switchedOff(host, project, world).map(({ text, fix }) => `NO HOOK RUNS YET: ${text}. Fix: ${fix}`),
    ...(ways.length < 2 ? [] : [`${twiceText(ways)}. Keep one: ${ways.map(({ removal }) => removal).join(', or: ')}`]),
    ...noteLines(plan),
  ];
}

/** The hosts that will not run the written hooks as they are set up now. */
export function hostsWithoutHooks(hosts: readonly HostId[], project: string, world: SetupWorld): readonly HostId[] {
  return hosts.filter((host) => switchedOff(host, project, world).length > 0);
}

/** What keeps every hook of this host from running, and what to do about it. */
function switchedOff(host: HostId, project: string, world: SetupWorld): readonly SwitchedOff[] {
  const look = lookAtInstalled(host, project, recordsFor(host, project, world), world);
  const found = HOSTS[host].examination?.findings(look) ?? [];
  return found.flatMap((each) => (each.about === 'hooks-off' && each.status === 'problem' ? [each] : []));
}

type SwitchedOff = { readonly text: string; readonly fix: string };
