import type { Decision } from '../core/decision.ts';
import type { Event, Failure, SessionEvent } from '../core/event.ts';
import { isSessionEvent } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { SessionRef } from '../core/loop.ts';
import { isHandedOver, isUsersTurn } from '../core/handed-over.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { openPart } from '../core/prompt-checks.ts';
import { promptOf } from '../core/prompt.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, TurnReport } from './ports.ts';
import type { OwnPaths } from './people-only.ts';
import { peopleOnlyIn, refusalOf } from './people-only.ts';
import { beginLateLoop, handleSessionEnd, handleSessionStart, handleUserPrompt } from './session-talk.ts';
import { moveToSession } from './take-over.ts';
import { handleToolRequest } from './tool-request.ts';

/** The answer to a session. `loaded`: its loop after the event. */
export type SessionAnswer = {
  readonly loaded: Loaded;
  /** Absent = nothing was decided. */
  readonly decision?: Decision;
  /** The turn before failed, and this event revealed it. */
  readonly late?: LateFailure;
} & (
  | { readonly kind: 'silent' }
  /** `fresh`: the earlier conversation only misleads the agent, so a host that can drops it. */
  | { readonly kind: 'go-on'; readonly prompt: string; readonly delayMs: number; readonly fresh: boolean }
  | { readonly kind: 'context'; readonly text: string }
  | { readonly kind: 'refuse'; readonly reason: string }
);

export type LateFailure = { readonly failure: Failure; readonly decision: Decision };

export type SessionHappening = {
  readonly session: SessionRef;
  readonly event: Event | SessionEvent;
  readonly report: TurnReport;
  readonly own?: OwnPaths;
};

/**
 * The loop that was armed for the session of an event. A loop in a foreign file answers only where its dialect is enabled, and a loop that
 * the user moved to another session no longer affects this one.
 */
export function* findSessionLoop(happening: SessionHappening): Pipeline<Loaded | undefined> {
  return (yield* loopOf(happening.session)) ?? (yield* followed(happening));
}

/** One event of an agent's own session, for its loop. */
export function* handleSessionEvent(happening: SessionHappening, loaded: Loaded): Pipeline<SessionAnswer> {
  const { event } = happening;
  if (loaded.state.status === 'pending' && isSignOfLife(happening)) return yield* beginLateLoop(loaded, event);
  if (!isSessionEvent(event)) return yield* turn(loaded, event, happening.report);
  switch (event.kind) {
    case 'prompt-submitted':
      return yield* handleUserPrompt(loaded, event, happening.report);
    case 'session-started':
      return yield* handleSessionStart(loaded, event.how, happening.report);
    case 'tool-requested':
      return yield* toolRequested(loaded, event, happening);
    case 'session-ended':
      return yield* handleSessionEnd(loaded, happening.report);
    case 'command-typed':
      // A loop cannot handle typed commands: the command line does.
      return { kind: 'silent', loaded };
  }
}

function isSignOfLife({ event, report }: SessionHappening): boolean {
  if (event.kind === 'session-started') return event.how !== 'new';
  if (event.kind === 'turn-ended') return report.backgroundWork !== true && report.userFirst !== true;
  return event.kind === 'prompt-submitted';
}

function* loopOf(session: SessionRef): Pipeline<Loaded | undefined> {
  const loop = yield* perform('loopOfSession', session);
  if (loop === undefined) return undefined;
  const loaded = yield* perform('load', loop);
  if (loaded === undefined)
    throw new Fault(
      'LOOP_NOT_FOUND',
      `Loop ${loop} was armed for this session, but its journal is missing. If you removed it, start another loop; if not, restore loops/${loop} in the folder where tireless keeps loops.`,
    );
  if (loaded.spec.dialect !== undefined) return undefined;
  return isSameSession(loaded.state.session, session) ? loaded : undefined;
}

/** A host that renames a resumed conversation reports its old name, and the loop follows. */
function* followed({ session, event }: SessionHappening): Pipeline<Loaded | undefined> {
  if (event.kind !== 'session-started' || event.previous === undefined) return undefined;
  const known = yield* loopOf({ host: session.host, id: event.previous });
  return known === undefined || isEnded(known.state) ? undefined : (yield* moveToSession(known, session)).loaded;
}

/** The user wrote to the agent, as the pause asked, but no hook reported it. */
function* continuedByUser(found: Loaded, event: Event, { sentBack }: TurnReport): Pipeline<Loaded> {
  if (!isUsersTurn(found.state, event, sentBack)) return found;
  return (yield* handleEvent(found, { kind: 'user-spoke' })).loaded ?? found;
}

/** A stop shows that the agent is at work: its host waited out the usage limit, or the user wrote something and no hook reported it. */
function* continuedByHost(found: Loaded, event: Event): Pipeline<Loaded> {
  if (event.kind !== 'turn-ended' || found.state.pause?.cause !== 'usage-limit') return found;
  return (yield* handleEvent(found, { kind: 'wait-ended', because: 'agent-works' })).loaded ?? found;
}

function* turn(found: Loaded, event: Event, report: TurnReport): Pipeline<SessionAnswer> {
  const continued = yield* continuedByHost(found, event);
  const known = isHandedOver(continued.state) ? yield* continuedByUser(continued, event, report) : continued;
  const { decision, loaded = known, prompt } = yield* handleEvent(known, event, report);
  const { spec, state } = loaded;
  // A loop that only observes decides and records the same, but sends no reply. Neither does the second report of a stop (`duplicate`): a
  // host continues when one of its hooks asks for it, and the agent would read two prompts.
  if (decision.kind !== 'continue' || event.kind !== 'turn-ended' || spec.observe === true)
    return { kind: 'silent', decision, loaded };
  const fresh = state.plan.strategy === 'diagnose' && state.plan.waiting !== true;
  const text = prompt ?? promptOf(spec, state);
  return { kind: 'go-on', prompt: text, delayMs: decision.delayMs, fresh, decision, loaded };
}

function* toolRequested(
  loaded: Loaded,
  request: SessionEvent & { kind: 'tool-requested' },
  { own, report }: SessionHappening,
): Pipeline<SessionAnswer> {
  const command = own === undefined || isEnded(loaded.state) ? null : peopleOnlyIn(request.input, own);
  if (command !== null) return yield* attemptRefused(loaded, command);
  // A host with its own goal believes an agent that calls it complete.
  if (request.saysGoalMet === true) return yield* goalAnnounced(loaded);
  const answer = yield* handleToolRequest(loaded.state.loop, report);
  return answer.kind === 'deny' ? { kind: 'refuse', reason: answer.reason, loaded } : { kind: 'silent', loaded };
}

/** The attempt is journaled before the agent reads the refusal. */
function* attemptRefused(known: Loaded, command: string): Pipeline<SessionAnswer> {
  const { loaded = known } = yield* handleEvent(known, { kind: 'attempt-refused', command });
  return { kind: 'refuse', reason: refusalOf(known.state.loop, command), loaded };
}

function* goalAnnounced(known: Loaded): Pipeline<SessionAnswer> {
  const { decision, loaded = known } = yield* handleEvent(known.state.loop, { kind: 'goal-announced' });
  if (decision.kind !== 'refuse') return { kind: 'silent', decision, loaded };
  const { spec, state } = loaded;
  const open = openPart(spec, { ...state, plan: { ...state.plan, unmet: decision.unmet } });
  return { kind: 'refuse', reason: `The goal is not complete: the work was checked.\n\n${open}`, decision, loaded };
}
