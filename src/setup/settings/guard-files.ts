import type { DialectName } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import type { GuardPlace } from '../../hosts/guard.ts';
import { guardFile, guardLine, guardScript } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { DialectHookCall, SettingsEdit } from '../../hosts/setup.ts';
import { pathPart } from '../../system/ids.ts';
import type { DialectHookOptions } from './dialect-lines.ts';
import { dialectScript } from './dialect-lines.ts';

/** The script for native loops. It is the same for the user and for every project, so installs share it. */
export function hostGuard(
  host: HostId,
  replies: { readonly whenGone: string; readonly whenCommandGone: string },
  place: GuardPlace,
): SettingsEdit {
  const { title, sessionVariable, drainInput } = HOSTS[host].capabilities;
  return {
    kind: 'own-file',
    isGuard: true,
    file: guardFile(place.home, host),
    why: 'what the hooks run: it starts tireless only while a loop needs it',
    text: guardScript({ host, title, sessionVariable, drainInput, ...replies }, place),
  };
}

/** The script for the state files of one project. */
export function dialectGuard(dialects: readonly DialectName[], options: DialectHookOptions): SettingsEdit {
  return {
    kind: 'own-file',
    isGuard: true,
    file: dialectFile(options),
    why: 'what the hooks for the enabled state file run: it starts tireless only while that file exists',
    text: dialectScript(dialects, options),
  };
}

/** `end`: the host may exit while it runs. `failure`: the same, and exit code 2 wakes the agent. */
export type DialectMoment = 'turn' | 'end' | 'failure';

/** The lines in the settings that read it. */
export function dialectGuardCall(name: DialectName, options: DialectHookOptions, at: DialectMoment): DialectHookCall {
  const line = (on: string): string => guardLine(dialectFile(options), on, options.drainInput);
  if (at !== 'turn') return { line: line(`${name}-${at}`) };
  return options.taskList === undefined || DIALECTS[name].remindsOfTasks !== true
    ? { line: line(name) }
    : { line: line(name), atPrompt: { line: line(`${name}-prompt`) } };
}

function dialectFile({ home, host, project }: DialectHookOptions): string {
  return guardFile(home, host, pathPart(project));
}
