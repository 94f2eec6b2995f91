import { isUnrecorded } from '../core/decide-failure.ts';
import type { Event, SessionEvent, SessionStart } from '../core/event.ts';
import { textAfterPrompt } from '../core/prompt-mark.ts';
import { deliveredPrompt, isCurrentPrompt, isStalePrompt, promptOf, promptWithHistory } from '../core/prompt.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import type { Loaded, TurnReport } from './ports.ts';
import type { SessionAnswer } from './session-event.ts';

/**
 * The process that started the loop was killed before its checks had finished, so the agent got no prompt: the loop begins now. Nothing is
 * counted.
 */
export function* beginLateLoop(known: Loaded, { kind }: Event | SessionEvent): Pipeline<SessionAnswer> {
  const { decision, loaded = known } = yield* handleEvent(known.state.loop, { kind: 'baseline-taken' });
  const { spec, state } = loaded;
  const prompt = promptOf(spec, state);
  if (state.status !== 'running' || (kind === 'turn-ended' && spec.observe === true))
    return { kind: 'silent', decision, loaded };
  if (kind === 'turn-ended') return { kind: 'go-on', prompt, delayMs: 0, fresh: false, decision, loaded };
  return {
    kind: 'context',
    text: kind === 'prompt-submitted' ? withUserFirst(prompt) : prompt,
    decision,
    loaded,
  };
}

/** Some hosts report our own prompts, tool results and their own notices as prompts. In that case the user wrote nothing. */
export function* handleUserPrompt(
  known: Loaded,
  { prompt, restate, byHost }: SessionEvent & { kind: 'prompt-submitted' },
  report: TurnReport,
): Pipeline<SessionAnswer> {
  const { spec, state } = known;
  if (isStalePrompt(prompt, state)) return { kind: 'refuse', reason: STALE_PROMPT, loaded: known };
  // A host may append what the user typed while the hook ran.
  const typed = textAfterPrompt(prompt, deliveredPrompt(spec, state));
  const isOurs = typed === '' || (typed === undefined && isCurrentPrompt(prompt, state));
  if (prompt.trim() === '' || byHost === true || isOurs) return { kind: 'silent', loaded: known };
  const { late, found } = yield* recordLateFailure(known, report);
  // Messages from a terminal wait for a prompt of ours. The agent gets them now, with this one.
  const delivers = found.state.status === 'running' && found.state.steering.length > 0;
  const spoke = { kind: 'user-spoke', ...(delivers ? { delivers } : {}) } as const;
  const { decision, loaded = found } = yield* handleEvent(state.loop, spoke, report);
  if (decision.kind !== 'continue' && decision.kind !== 'record') return { kind: 'silent', decision, loaded, ...late };
  // This prompt restarts a turn that broke off.
  const isRestated = decision.kind === 'continue' || restate === true || delivers || loaded.state.plan.rerun;
  const text = isRestated ? withUserFirst(promptWithHistory(loaded.spec, loaded.state)) : USER_FIRST;
  return { kind: 'context', text, decision, loaded, ...late };
}

/** Some hosts do not report a failed turn, so the next event of the session reveals it. Documents have their own rules for errors. */
function* recordLateFailure(
  known: Loaded,
  report: TurnReport,
): Pipeline<{ readonly late: Pick<SessionAnswer, 'late'>; readonly found: Loaded }> {
  const { failedTurn } = report;
  if (
    failedTurn === undefined ||
    known.spec.dialect !== undefined ||
    !isUnrecorded(known.state, failedTurn, Date.parse(known.state.updatedAt))
  )
    return { late: {}, found: known };
  const { failure } = failedTurn;
  const event = { kind: 'turn-failed', failure, iteration: null, worker: null, late: true } as const;
  const { decision, loaded: found = known } = yield* handleEvent(known, event, report);
  return { late: decision.kind === 'abstain' ? {} : { late: { failure, decision } }, found };
}

const STALE_PROMPT =
  'tireless: the loop has moved on since this prompt, so it is not sent to the agent. /ralph-status shows its state.';

const USER_FIRST =
  'A loop works on a goal in this session. What the user says now comes first; where it differs from the goal, follow the user. When you stop, the work is checked as before.';

/** After a compaction or a return the agent has lost its instructions, so the goal and the open findings are repeated. */
export function* handleSessionStart(known: Loaded, how: SessionStart, report: TurnReport): Pipeline<SessionAnswer> {
  // The hook that armed the loop may be running at the same time, so this is not a return.
  if (how === 'new') return { kind: 'silent', loaded: known };
  const isReturn = how !== 'compacted';
  const { late, found } = isReturn ? yield* recordLateFailure(known, report) : { late: {}, found: known };
  const { decision, loaded = found } = isReturn
    ? yield* handleEvent(known.state.loop, { kind: 'session-resumed' }, report)
    : { decision: undefined };
  const extra = { ...late, ...(decision === undefined ? {} : { decision }) };
  return loaded.state.status === 'running'
    ? { kind: 'context', text: promptWithHistory(loaded.spec, loaded.state), loaded, ...extra }
    : { kind: 'silent', loaded, ...extra };
}

/** A native loop outlives its session and can be resumed. Nobody sees a reply now. */
export function* handleSessionEnd(known: Loaded, report: TurnReport): Pipeline<SessionAnswer> {
  const { found } = yield* recordLateFailure(known, { ...report, unseen: true });
  const { loaded = found } = yield* handleEvent(found, { kind: 'session-left' }, report);
  return { kind: 'silent', loaded };
}

/** This text, after a notice that the user's words come first. */
export function withUserFirst(text: string): string {
  return `${USER_FIRST}\n\n${text}`;
}
