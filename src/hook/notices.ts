import type { Decision } from '../core/decision.ts';
import type { FileReading } from '../core/foreign-file.ts';
import type { Guard, Limits, LoopId, Spec } from '../core/loop.ts';
import { isOnTrial } from '../core/room.ts';
import type { Loaded } from '../engine/ports.ts';
import type { LateFailure } from '../engine/session-event.ts';
import { unseenOutcome } from '../engine/unseen-outcome.ts';
import { oneLine } from '../views/printable.ts';
import { holdoutNames, roomWarnings } from '../views/room-words.ts';
import { actionPhrases, pauseActions } from '../views/actions.ts';
import { cancelledSentence, decisionSentence, outcomeSentence, raiseAdvice } from '../views/sentences.ts';
import { pauseActionsHere, resumeCommand, typedPrefix } from '../views/session-actions.ts';

const WHY_CHARS_MAX = 300;

/** The trial of the checks in the clean room, which ran while the agent worked, has ended: do they work there? */
export function noticeOfTrial({ spec, state }: Loaded): string | null {
  if (state.room === undefined || isOnTrial(state.room)) return null;
  const [warning = 'the checks work in the clean room'] = roomWarnings(state.room, holdoutNames(spec));
  return `tireless: ${warning}; more: tireless status ${state.loop}`;
}

type Noticed = {
  readonly decision: Decision;
  readonly loop: LoopId | null;
  readonly dialect: Spec['dialect'];
  readonly reading?: FileReading | null;
  /** The limits of the loop, to suggest a higher one. */
  readonly limits?: Limits;
  /** The prefix of the commands that the user can type in this session. */
  readonly prefix?: string | null;
};

/** For a native loop. */
export function noticeOfLoop(decision: Decision, loaded: Loaded): string | null {
  return noticeOf({ decision, ...noticedOf(loaded) });
}

function noticedOf(loaded: Loaded): Omit<Noticed, 'decision'> {
  const { spec, state } = loaded;
  return { loop: state.loop, dialect: spec.dialect, limits: state.limits, prefix: typedPrefix(loaded) };
}

/** What the user has to know when an agent stops: the work is done, a limit was reached, a question, an unreadable file. `null` = nothing. */
export function noticeOf(noticed: Noticed): string | null {
  const { decision, loop, dialect, reading } = noticed;
  if (reading?.kind === 'invalid') return brokenNotice({ file: dialect?.file ?? 'the state file', why: reading.why });
  // Work that never ends blocks a loop forever, and only the user can see that.
  if (decision.kind === 'abstain' && decision.because === 'background-work' && reading === undefined)
    return `tireless: loop ${loop ?? ''} waits: the agent still has work in the background, so this stop is not judged. The next stop is, once that work ends; a server that keeps running must be stopped first.`;
  // The user's own cancel reaches a stop only if the file could not be written at once.
  if (decision.kind === 'cancel' && decision.because === undefined && reading !== undefined)
    return `tireless: loop ${loop ?? ''} was cancelled, and its state file is switched off`;
  if (decision.kind === 'cancel' && decision.because !== undefined)
    return `tireless: loop ${loop ?? ''} was ${cancelledSentence(decision.because)}`;
  if (decision.kind !== 'complete' && decision.kind !== 'halt' && decision.kind !== 'pause') return null;
  return joined([`tireless: ${decisionSentence(decision, dialect)}`, ...nextOf(noticed)]);
}

/** As one line. After a question of the agent, a new sentence begins. */
function joined(parts: readonly string[]): string {
  return parts.reduce((line, part) =>
    /[.!?]$/u.test(line) ? `${line} ${part.slice(0, 1).toUpperCase()}${part.slice(1)}` : `${line}; ${part}`,
  );
}

/** For an unreadable state file, when no agent stops. */
export function brokenNotice({ file, why }: { readonly file: string; readonly why: string }): string {
  return `tireless: ${file} cannot be read (${oneLine(why, WHY_CHARS_MAX)}), so the agent may stop. Correct it or delete it.`;
}

/** In the session whose turn failed; the process that shows this also wakes the agent. */
export function failedNotice(detail: string): string {
  return `tireless: the turn failed (${oneLine(detail, WHY_CHARS_MAX)}); it is tried again after a wait`;
}

/** For a pause or an end that the user has not seen. `continues`: the loop is running again. */
export function unseenNotice(loaded: Loaded, continues = false): string | null {
  const decision = unseenOutcome(loaded.state);
  if (decision === null) return null;
  if (decision.kind === 'cancel' && decision.because === undefined)
    return `tireless: loop ${loaded.state.loop} was cancelled; the agent is no longer sent back`;
  const next = continues ? ['it continues now'] : nextOf({ decision, ...noticedOf(loaded) });
  return joined([`tireless: ${outcomeSentence(loaded)}`, ...next]);
}

/** The hook that began the loop was ended before the checks had finished: by the host, when its time was up, or by the user. */
export function slowStartNotice({ state }: Loaded): string {
  return `tireless: the hook that began loop ${state.loop} was ended before the checks had finished (Esc, or its time was up), so their results before the work are not known. The loop begins now; "tireless doctor" shows the time of the hooks`;
}

/** A stop was judged although background work of the agent is still running, most likely a server. */
export function outlastedNotice({ state }: Loaded): string {
  return `tireless: the agent's work in the background did not end, so the stop of loop ${state.loop} was judged anyway. It delays no other stop`;
}

/** The turn before this prompt failed, and the host did not report it. */
export function lateNotice({ failure, decision }: LateFailure, loaded: Loaded): string {
  const { spec, state } = loaded;
  if (decision.kind === 'halt')
    return `tireless: ${[decisionSentence(decision, spec.dialect), ...nextOf({ decision, ...noticedOf(loaded) })].join('; ')}`;
  const why = oneLine(failure.detail, WHY_CHARS_MAX);
  return `tireless: the last turn failed (${why}). Your message runs iteration ${state.counted + 1} of loop ${state.loop} again`;
}

/** A native loop continues with the user's next message; a loop in a file may not. */
function nextOf({ decision, loop, dialect, limits, prefix = null }: Noticed): readonly string[] {
  if (loop === null) return [];
  if (decision.kind === 'pause')
    return actionPhrases(
      dialect === undefined ? pauseActionsHere(loop, decision, prefix) : pauseActions(loop, decision),
    );
  const flag = decision.kind === 'halt' && limits !== undefined ? raiseAdvice(decision.guard, limits, dialect) : null;
  return [
    `why: tireless explain ${loop}`,
    ...(decision.kind === 'halt' ? continueAdvice(decision.guard, resumeCommand(loop, prefix)) : []),
    ...(flag === null ? [] : [`continue with more: ${resumeCommand(loop, prefix)} ${flag}`]),
  ];
}

/** No limit ended it, so there is none to raise. */
function continueAdvice(guard: Guard, resume: string): readonly string[] {
  if (guard === 'no-progress') return [`continue: ${resume}`];
  return guard === 'agent-failed' || guard === 'faults-in-row' ? [`continue when that is fixed: ${resume}`] : [];
}
