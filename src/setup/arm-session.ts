import { Fault } from '../core/fault.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { ArmedLoop } from '../engine/arm-loop.ts';
import { armLoop } from '../engine/arm-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import type { HostId } from '../hosts/ids.ts';
import { hostNamed } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { thisMachine } from '../system/worker-identity.ts';
import { findConflicts } from './conflicts.ts';
import { guessChecks } from './project-checks.ts';
import { writeLaunchFile } from './settings/launch-file.ts';
import { armOnDemand, disarmOnDemand, isOnDemand } from './settings/on-demand.ts';
import type { SetupWorld } from './setup-world.ts';
import { ensureTracker } from './tracker-file.ts';

export type SessionArmRequest = {
  readonly loop: LoopId;
  readonly spec: Spec;
  readonly session: SessionRef;
  /** The caller gives the first prompt to the agent of the session. */
  readonly deliversPrompt?: true;
  /** The project. */
  readonly cwd: string;
  readonly allowMissingCheck: boolean;
  /** The transcript of the session, if the host named it. */
  readonly transcript?: string | null;
};

/** Arms a loop on this machine: looks for conflicts, creates the tracker, and adds hooks that are installed on demand. */
export async function armSession(request: SessionArmRequest, world: SetupWorld): Promise<ArmedLoop> {
  const { spec, session, cwd, transcript = null } = request;
  const host = hostNamed(session.host);
  if (host !== undefined) refuseLateHooks(host, cwd, world);
  const conflicts = spec.observe === true ? [] : await findConflicts({ session, cwd, transcript }, world);
  const { effects } = await world.services.session();
  const reportsUsage = host === undefined || HOSTS[host].capabilities.reportsUsage;
  const steps = {
    onBound: () => {
      ensureTracker(spec, cwd);
      // A plugin that its host copied elsewhere uses this file to find us.
      writeLaunchFile(world.services.home());
      if (host !== undefined) armOnDemand(host, cwd, world);
    },
  };
  const arming = { ...request, machine: thisMachine(), reportsUsage, conflicts, knownChecks: () => guessChecks(cwd) };
  try {
    return await runAsync(armLoop(arming, steps), effects);
  } catch (error) {
    // The first failure is the one to report; "tireless doctor" reports any hooks that remain.
    await disarmOnDemand(session.host, cwd, world).catch(() => undefined);
    throw error;
  }
}

/** A loop that had ended continues in its session, so the hooks that were removed with it are restored. */
export function restoreOnDemand({ spec, state }: Loaded, world: SetupWorld): void {
  const host = hostNamed(state.session?.host);
  if (host !== undefined && spec.dialect === undefined && !isEnded(state)) armOnDemand(host, state.cwd, world);
}

/** If the host reads its settings only once, hooks that are added later never run. */
function refuseLateHooks(host: HostId, cwd: string, world: SetupWorld): void {
  const { install, capabilities } = HOSTS[host];
  if (install.readsSettingsOnce?.(world.env) !== true || !isOnDemand(host, cwd, world)) return;
  throw new Fault(
    'LOOP_STATE',
    `Cannot loop in a session without a screen: the hooks are installed on demand, but here ${capabilities.title} reads its settings only once. Run "tireless install ${host}" (without --on-demand), or drive it from outside with "tireless run --agent ${host}".`,
  );
}
