import type { DialectName } from '../../dialects/names.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import { Fault } from '../../core/fault.ts';
import { guardFile, guardLine, hookName } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { DialectHookCall, SetupPlace } from '../../hosts/setup.ts';
import { windowsHook } from '../../hosts/windows-call.ts';
import { currentPlatform } from '../../system/paths.ts';
import type { Program } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import type { HookWords } from './dialect-lines.ts';
import { windowsDialectCall } from './dialect-lines.ts';
import type { DialectMoment } from './guard-files.ts';
import { dialectGuard, dialectGuardCall, hostGuard } from './guard-files.ts';
import { readRecord } from './install-record.ts';

/** Checks run in a stop hook, and those that take longer continue outside it. Every host that was measured accepts this value. */
export const HOOK_TIMEOUT_SECONDS = 600;

/** What to install for one host. */
export type Installation = {
  readonly host: HostId;
  readonly scope: 'user' | 'project';
  /** Absolute. */
  readonly project: string;
  readonly native: boolean;
  readonly dialects: readonly DialectName[];
  readonly onDemand: boolean;
  readonly trust: boolean;
  /** For loops in state files; absent = no limit. */
  readonly iterationTimeoutMs?: number | undefined;
  /** Additional options for the hook of each dialect, by their names. */
  readonly hookWords?: HookWords | undefined;
};

export type InstallRequest = Omit<Installation, 'native' | 'dialects' | 'hookWords'> & {
  /** For the dialect to add. */
  readonly hookWords?: HookWords[string];
  /** The dialect to add to its project; `undefined` = native loops. */
  readonly dialect: DialectName | undefined;
};

/** Earlier installs stay: a dialect is added to the existing ones, and a project with native loops keeps them. */
export function installationFor({ dialect, ...request }: InstallRequest, home: string): Installation {
  const { host, project } = request;
  const isNative = dialect === undefined;
  const scope = isNative ? request.scope : 'project';
  const earlier = readRecord(home, { host, scope, project });
  return {
    host,
    scope,
    project,
    native: isNative || earlier?.native === true,
    dialects: DIALECT_NAMES.filter((name) => name === dialect || earlier?.dialects.includes(name) === true),
    onDemand: isNative ? request.onDemand : earlier?.onDemand === true,
    trust: request.trust || earlier?.trust === true,
    iterationTimeoutMs: request.iterationTimeoutMs ?? earlier?.iterationTimeoutMs,
    hookWords: wordsWith(earlier?.hookWords ?? {}, dialect, request.hookWords ?? {}),
  };
}

/** A new value replaces the earlier one; the other options stay. */
function wordsWith(earlier: HookWords, dialect: DialectName | undefined, given: HookWords[string]): HookWords {
  if (dialect === undefined || Object.keys(given).length === 0) return earlier;
  return { ...earlier, [dialect]: { ...earlier[dialect], ...given } };
}

export function setupPlaceFor(installation: Installation, world: SetupWorld, program: Program): SetupPlace {
  const { host, scope, project, native, dialects, onDemand, trust, iterationTimeoutMs, hookWords } = installation;
  const home = world.services.home();
  const { sessionVariable, drainInput } = HOSTS[host].capabilities;
  const { projectVariable, taskList } = HOSTS[host].install;
  const windows = currentPlatform().os === 'win32' ? HOSTS[host].install.windows : undefined;
  const parts = { home, node: program.node, script: program.hook };
  const dialectOptions = {
    host,
    home,
    project,
    projectVariable,
    sessionVariable,
    taskList,
    program,
    drainInput,
    whenGone: goneReply(host),
    iterationTimeoutMs,
    hookWords,
  };
  const replies = { whenGone: goneReply(host), whenCommandGone: goneRefusal(host) };
  const dialectCall = (name: DialectName, at: DialectMoment): DialectHookCall =>
    windows === undefined
      ? dialectGuardCall(name, dialectOptions, at)
      : windowsDialectCall(name, { ...dialectOptions, ...(at === 'failure' ? { wakes: true } : {}) }, windows);
  // A host without `windows` runs no command lines: it loads a module.
  const hasLines = HOSTS[host].install.windows !== undefined && windows === undefined;
  return {
    scope,
    project,
    home: userHome(world),
    isWindows: currentPlatform().os === 'win32',
    variables: world.env,
    hookCall: (hook) =>
      windows === undefined
        ? { line: guardLine(guardFile(home, host), hookName(hook), drainInput) }
        : windowsHook({ host, ...hook }, parts, windows),
    guards: [
      ...(hasLines && native ? [hostGuard(host, replies, parts)] : []),
      ...(hasLines && dialects.length > 0 ? [dialectGuard(dialects, dialectOptions)] : []),
    ],
    dialectCalls: dialects.map((name) => dialectCall(name, 'turn')),
    dialectErrorCalls: dialects
      .filter((name) => DIALECTS[name].describesErrors)
      .map((name) => dialectCall(name, 'failure')),
    dialectEndCalls: dialects.map((name) => dialectCall(name, 'end')),
    dialectsTimed: iterationTimeoutMs !== undefined,
    dialectsOnly: !native,
    hookTimeoutSeconds: HOOK_TIMEOUT_SECONDS,
    plugins: program.plugins,
    node: program.node,
    script: program.hook,
    tirelessHome: home,
    onDemand,
    trust,
  };
}

/** Where a host keeps the settings of this user. */
export function userFolder(host: HostId, world: Pick<SetupWorld, 'env'>): string {
  return HOSTS[host].install.userFolder({ home: userHome(world), variables: world.env });
}

/**
 * If Node was updated or tireless removed, a host without this reply reports at best that some file was not found, and the loop would end
 * silently.
 */
function goneReply(host: HostId): string {
  return HOSTS[host].encode({ kind: 'silent', name: '', notice: goneNotice(host) }).stdout.trim();
}

/** The reply to a typed command. */
function goneRefusal(host: HostId): string {
  const reply = { kind: 'refuse', name: 'UserPromptSubmit', reason: goneNotice(host), notice: null } as const;
  return HOSTS[host].encode(reply).stdout.trim();
}

function goneNotice(host: HostId): string {
  return `tireless: its program, or the Node that it ran on, has moved, so no loop continues and the agent may stop. Run "tireless install ${host}" again, or remove its hooks from the settings.`;
}

export function userHome({ env }: Pick<SetupWorld, 'env'>): string {
  const home = [env['HOME'], currentPlatform().home].find((each) => each !== undefined && each !== '');
  if (home !== undefined) return home;
  throw new Fault(
    'HOME_UNUSABLE',
    'This user has no home directory, so no agent has settings for it. Set HOME, or install for a project: --project.',
  );
}
