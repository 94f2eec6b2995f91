import { Fault, isFault } from '../core/fault.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import { promptOf } from '../core/prompt.ts';
import { handleEvent } from '../engine/handle-event.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { AsyncEffects, Control, Loaded, Store } from '../engine/ports.ts';
import { startLoop } from '../engine/start-loop.ts';
import { HOST_IDS } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { systemClock } from '../system/clock.ts';
import { newLoopId } from '../system/ids.ts';
import { thisMachine } from '../system/worker-identity.ts';
import { oneLine } from '../views/printable.ts';
import { conflictsOf, refuseConflicts } from './conflicts.ts';
import { cancellingUnrunnable, unrunnable } from './drive-progress.ts';
import { heldBy } from './held-by.ts';
import type { World } from './services.ts';
import { ensureTracker } from './tracker-file.ts';

type ArmRequest = {
  /** The id the spec was made for, if it names one (its tracker does); otherwise one is made. */
  readonly loop?: LoopId;
  readonly spec: Spec;
  readonly session: SessionRef;
  readonly cwd: string;
  readonly allowMissingCheck: boolean;
  /** Of the session, where the host told. */
  readonly transcript?: string | null;
};

export type Armed = {
  readonly loaded: Loaded;
  /** What the agent of the session has to be told now: the loop counts its first iteration from here. */
  readonly prompt: string;
};

/** Each lost try is someone else who bound the session and was done with it meanwhile. */
const BIND_TRIES_MAX = 5;

/**
 * A loop for a session: durable, bound, its baseline taken, its first iteration begun. From now on the stop hook of that session asks
 * about it. Throws `LOOP_STATE` when the session has an open loop, `CHECK_NOT_RUNNABLE` after which the loop is cancelled.
 */
export async function armLoop(request: ArmRequest, world: World): Promise<Armed> {
  const { spec, session, cwd, transcript = null } = request;
  requireFigures(spec, session);
  const store = await world.services.store();
  refuseHeld(session, store);
  await refuseBlindOnDemand(session, cwd, world);
  if (spec.observe !== true) refuseConflicts(await conflictsOf({ session, cwd, transcript }, world));
  const loop = request.loop ?? newLoopId(systemClock().read());
  const { effects } = await world.services.session();
  await runAsync(startLoop({ loop, spec, session, cwd, machine: thisMachine() }), effects);
  const control = await world.services.control();
  try {
    return await begin({ ...request, loop }, { store, control, effects }, world);
  } catch (error) {
    // Nobody heard of it, and its session would not get another one.
    await cancelQuietly(loop, control);
    throw error;
  }
}

type Tools = { readonly store: Store; readonly control: Control; readonly effects: AsyncEffects };

async function begin(
  { loop, spec, session, cwd, allowMissingCheck }: ArmRequest & { readonly loop: LoopId },
  { store, control, effects }: Tools,
  world: World,
): Promise<Armed> {
  const other = await bindOnce(loop, session, store, effects);
  if (other !== undefined) throw held(session, other);
  ensureTracker(spec, cwd);
  // A plugin that its host copied elsewhere finds us by it.
  (await import('../setup/settings/launch-file.ts')).noteLaunch(world.services.home());
  let missing: { readonly name: string; readonly tail: string } | undefined;
  const found = (name: string, tail: string): void => void (missing = { name, tail });
  // The checks of a session: one that takes longer than a hook may last goes on outside of it, and is not known yet.
  const asking: Control = { ...control, post: (id, event) => runAsync(handleEvent(id, event), effects) };
  const guarded = allowMissingCheck ? asking : cancellingUnrunnable(asking, found);
  const { loaded } = await guarded.post(loop, { kind: 'baseline-taken' });
  if (missing !== undefined) throw unrunnable(loop, missing);
  if (loaded?.state.status !== 'running')
    throw new Fault(
      'LOOP_STATE',
      `Loop ${loop} was changed from elsewhere before it began. Look at "tireless status ${loop}".`,
    );
  await armOnDemandFor(session, cwd, world);
  return { loaded, prompt: promptOf(loaded.spec, loaded.state) };
}

/** The first failure is what the user has to hear. */
async function cancelQuietly(loop: LoopId, control: Control): Promise<void> {
  try {
    await control.cancel(loop);
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

/** The hooks of a loop may be in the settings only while there is one. */
async function armOnDemandFor(session: SessionRef, cwd: string, world: World): Promise<void> {
  const host = HOST_IDS.find((id) => id === session.host);
  if (host === undefined) return;
  const { armOnDemand } = await import('../setup/settings/on-demand.ts');
  await armOnDemand(host, cwd, world);
}

/** Measured: without its screen Claude Code reads its settings once, so hooks that come later never run. */
async function refuseBlindOnDemand(session: SessionRef, cwd: string, world: World): Promise<void> {
  const host = HOST_IDS.find((id) => id === session.host);
  if (host === undefined || world.env['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') !== true) return;
  const { isOnDemand } = await import('../setup/settings/on-demand.ts');
  if (!isOnDemand(host, cwd, world)) return;
  throw new Fault(
    'LOOP_STATE',
    'Cannot loop in a session without a screen: the hooks are installed on demand, and here Claude Code reads its settings only once. Run "tireless install claude-code" (without --on-demand), or drive it from outside with "tireless run --agent claude-code".',
  );
}

export function refuseHeld(session: SessionRef, store: Store): void {
  const other = heldBy(session, store);
  if (other !== undefined) throw held(session, other);
}

/** Two that arm the same session at once: the first binds it. Created before it is bound, so that what is bound always exists. */
async function bindOnce(
  loop: LoopId,
  session: SessionRef,
  store: Store,
  effects: AsyncEffects,
): Promise<LoopId | undefined> {
  let winner = loop;
  for (let attempt = 0; attempt < BIND_TRIES_MAX; attempt++) {
    const was = store.loopOfSession(session);
    winner = heldBy(session, store) ?? (await effects.bindFirst(session, loop, was));
    if (winner === loop) return undefined;
    // An older answer to who comes after `was`: that one is over, so it is asked who comes after that one.
    if (heldBy(session, store) !== undefined) return winner;
  }
  return winner;
}

function held(session: SessionRef, other: LoopId): Fault {
  return new Fault(
    'LOOP_STATE',
    `Cannot start a loop in the session ${oneLine(session.id, 60)}: loop ${other} lives there. Cancel that one with "tireless cancel ${other}", or take another session.`,
  );
}

/** A limit that nobody can compare with would only pause the loop at its first stop. */
function requireFigures({ limits }: Spec, session: SessionRef): void {
  const id = HOST_IDS.find((each) => each === session.host);
  const host = id === undefined ? undefined : HOSTS[id];
  const isBlind = limits.costMaxUsd !== 'unlimited' || limits.tokensMax !== 'unlimited';
  if (isBlind && host?.capabilities.reportsUsage === false)
    throw new Fault(
      'USAGE',
      `Cannot limit cost or tokens in a session of ${session.host}: it does not tell what a turn used. Leave out --max-cost and --max-tokens, and limit --max-iterations or --max-duration.`,
    );
}
