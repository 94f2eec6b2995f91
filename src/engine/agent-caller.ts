import type { AgentPlace, CallerPlace, ControllerPlace } from '../core/caller-place.ts';
import { agentPlace } from '../core/caller-place.ts';
import { isFault } from '../core/fault.ts';
import type { LoopId, SessionRef, State } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { LOOP_VARIABLE } from '../core/people-commands.ts';
import type { Store } from './ports.ts';

/**
 * The calling agent, identified by the loop it works for. `mark`: the variable that identified it; without one it was recognised by
 * `place`, and its loop is running.
 */
export type AgentCaller = {
  readonly loop: LoopId;
  readonly mark: string;
  readonly isSession: boolean;
  readonly place?: AgentPlace;
};

/** `variable`: holds the session id in every command that this host's agent runs. */
export type SessionVariable = { readonly host: string; readonly variable: string };

type Variables = Readonly<Record<string, string | undefined>>;

/** The names of the variables to look up in a process. */
export function markNames(sessions: readonly SessionVariable[]): readonly string[] {
  return [LOOP_VARIABLE, ...sessions.map(({ variable }) => variable)];
}

/**
 * Who is calling: a person (`null`), or the agent of a loop in this store. `processes`: the variables of this process, then those of its
 * ancestors, so that a call that drops its own mark is still recognised by its parent's. A mark of a loop in another store means nothing
 * here. A session counts while its loop is open, or halted and so resumable; a process of an outer loop always counts.
 */
export function findAgentCaller(
  processes: Iterable<Variables>,
  sessions: readonly SessionVariable[],
  store: Pick<Store, 'load' | 'loopOfSession'>,
): AgentCaller | null {
  for (const variables of processes) {
    const loop = variables[LOOP_VARIABLE] ?? '';
    if (loop !== '' && isKnown(loop, store)) return { loop, mark: LOOP_VARIABLE, isSession: false };
    for (const { host, variable } of sessions) {
      const id = (variables[variable] ?? '').trim();
      const own = id === '' ? undefined : sessionLoop({ host, id }, store);
      if (own !== undefined) return { loop: own, mark: variable, isSession: true };
    }
  }
  return null;
}

/**
 * The loop that an agent works for, by the environment of its process: the loop's own variable, or an open loop of its session. `undefined`
 * = none.
 */
export function loopOfVariables(
  variables: Variables,
  sessions: readonly SessionVariable[],
  store: Pick<Store, 'load' | 'loopOfSession'>,
): LoopId | undefined {
  const named = (variables[LOOP_VARIABLE] ?? '').trim();
  if (named !== '') return named;
  const loops = sessions.flatMap(({ host, variable }) => {
    const id = (variables[variable] ?? '').trim();
    return id === '' ? [] : [store.loopOfSession({ host, id }) ?? []].flat();
  });
  return loops.find((loop) => {
    const loaded = store.load(loop);
    return loaded !== undefined && !isEnded(loaded.state);
  });
}

/** For a caller without marks: does its place match the agents of these loops? */
export function findPlacedCaller(
  caller: CallerPlace,
  controllers: Iterable<{ readonly loop: LoopId; readonly place: ControllerPlace }>,
): AgentCaller | null {
  for (const { loop, place } of controllers) {
    const found = agentPlace(caller, place);
    if (found !== null) return { loop, mark: '', isSession: place.kind === 'host', place: found };
  }
  return null;
}

/** A loop that cannot be read still exists: the agent does not get the benefit of the doubt. */
function isKnown(loop: LoopId, store: Pick<Store, 'load'>): boolean {
  return readState(loop, store) !== undefined;
}

function sessionLoop(session: SessionRef, store: Pick<Store, 'load' | 'loopOfSession'>): LoopId | undefined {
  const loop = store.loopOfSession(session);
  const found = loop === undefined ? undefined : readState(loop, store);
  if (found === undefined) return undefined;
  if (found === 'unreadable') return loop;
  const isOver = found.status === 'completed' || found.status === 'cancelled';
  return isOver || !isSameSession(found.session, session) ? undefined : loop;
}

function readState(loop: LoopId, { load }: Pick<Store, 'load'>): State | 'unreadable' | undefined {
  try {
    return load(loop)?.state;
  } catch (error) {
    if (isFault(error)) return 'unreadable';
    throw error;
  }
}
