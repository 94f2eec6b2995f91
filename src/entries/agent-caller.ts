import type { ControllerPlace } from '../core/caller-place.ts';
import type { LoopId } from '../core/loop.ts';
import type { AgentCaller, SessionVariable } from '../engine/agent-caller.ts';
import { findAgentCaller, findPlacedCaller, markNames } from '../engine/agent-caller.ts';
import type { Loaded, Store } from '../engine/ports.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { readHeartbeat } from '../stores/heartbeat.ts';
import { readSessionProcess } from '../stores/session-process.ts';
import { ancestorVariables } from '../system/ancestors.ts';
import { callerPlace, controllerPlace } from '../system/caller-place.ts';
import { isWorkerAlive } from '../system/worker-identity.ts';

/** A driver writes one every second; a busy machine may miss some. */
const HEARTBEAT_MS_MAX = 60_000;

export const SESSION_VARIABLES: readonly SessionVariable[] = Object.values(HOSTS).flatMap(({ id, capabilities }) =>
  (capabilities.agentVariables ?? []).map((variable) => ({ host: id, variable })),
);

/** Is there any mark of an agent at all? Usually not, and then no store is opened to find its owner. */
export function isMarked(): boolean {
  const names = markNames(SESSION_VARIABLES);
  return processesHere().some((variables) => names.some((name) => (variables[name] ?? '') !== ''));
}

/** The agent that runs this process; `null` = a person. */
export function agentCallerHere(store: Store): AgentCaller | null {
  return findAgentCaller(processesHere(), SESSION_VARIABLES, store);
}

/**
 * The agent of an open loop that runs this process without a mark, recognised by the ancestors of the process; `null` = no sign of one. Not
 * for hooks: their host starts them.
 */
export function placedCallerHere(open: readonly Loaded[], home: string): AgentCaller | null {
  const caller = callerPlace();
  return caller === undefined ? null : findPlacedCaller(caller, controllersIn(open, home));
}

/** The processes that start agents of open loops now. */
function* controllersIn(open: readonly Loaded[], home: string): Generator<{ loop: LoopId; place: ControllerPlace }> {
  for (const { state } of open) {
    const place = controllerOf(state, home);
    if (place !== null) yield { loop: state.loop, place };
  }
}

function controllerOf({ loop, worker, session }: Loaded['state'], home: string): ControllerPlace | null {
  if (worker !== null) {
    return isWorkerAlive(worker) === true || isBeating(loop, home) ? controllerPlace('driver', worker) : null;
  }
  const host = session === null ? null : readSessionProcess(home, loop, session);
  return host !== null && isWorkerAlive(host) === true ? controllerPlace('host', host) : null;
}

/** From another namespace, or where processes are hidden, a live driver cannot be told from a dead one by its pid. */
function isBeating(loop: LoopId, home: string): boolean {
  const beat = readHeartbeat(home, loop);
  return beat !== null && Date.now() - beat.wallMs < HEARTBEAT_MS_MAX;
}

function processesHere(): readonly Readonly<Record<string, string | undefined>>[] {
  return [process.env, ...ancestorVariables(markNames(SESSION_VARIABLES))];
}
