import type { AgentSpec, Edits, FileEnd, Limits, LoopId, OwnCancel, SessionRef, Spec, Worker } from './loop.ts';
import type { TurnMark } from './turn-mark.ts';

/** Something that happened, noun-verb in the past tense. Small: raw text travels separately and becomes evidence. */
export type Event =
  | {
      readonly kind: 'loop-started';
      readonly loop: LoopId;
      readonly spec: Spec;
      readonly session: SessionRef | null;
      readonly cwd: string;
      readonly machine: string;
    }
  /** `firstPromptGiven`: whoever takes the baseline also gives the first prompt to the agent of the session. */
  | { readonly kind: 'baseline-taken'; readonly firstPromptGiven?: true }
  | { readonly kind: 'worker-leased'; readonly worker: Worker }
  | { readonly kind: 'worker-released'; readonly worker: string }
  /** A process waits for a person's answer, then brings the agent of a session back. At most one per loop. */
  | { readonly kind: 'watcher-began'; readonly worker: Worker }
  /** What the watcher did: it started an agent, or an agent ended. `detail` is shown, never compared. */
  | {
      readonly kind: 'watcher-acted';
      readonly worker: string;
      readonly act: 'agent-started' | 'agent-ended';
      readonly detail: string;
    }
  | { readonly kind: 'watcher-ended'; readonly worker: string; readonly why: WatcherEnd }
  /** The prompt was delivered. */
  | { readonly kind: 'iteration-began'; readonly iteration: number; readonly worker: string | null }
  | ({ readonly kind: 'turn-ended'; readonly cut?: CutReason; readonly mark?: TurnMark } & TurnOrigin)
  /** `late`: nobody reported it when it happened; the transcript showed it at the next event of the session. */
  | ({ readonly kind: 'turn-failed'; readonly failure: Failure; readonly late?: true } & TurnOrigin)
  /** The user stopped the agent's turn by hand. */
  | ({ readonly kind: 'turn-aborted' } & TurnOrigin)
  /** The host asks the user whether the agent may use a tool: the agent waits. */
  | { readonly kind: 'permission-asked' }
  /** The host waits for a message, although nobody reported that the turn had ended: the user broke it off, or it failed. */
  | { readonly kind: 'agent-rested' }
  /** `trouble`: requested by the driver, not by a user, because something outside keeps it from continuing. */
  | { readonly kind: 'pause-requested'; readonly trouble?: string }
  /** `counted`: the document's count, if that does not include the turn that ended the loop. */
  | { readonly kind: 'resume-requested'; readonly limits?: Partial<Limits>; readonly counted?: number }
  /** `because`: requested by tireless itself, not by a user. */
  | { readonly kind: 'cancel-requested'; readonly because?: OwnCancel }
  | { readonly kind: 'steering-given'; readonly text: string }
  /** The agent of the loop tried what only a person may do (`PEOPLE_COMMANDS`, `HOME_FILES`). */
  | { readonly kind: 'attempt-refused'; readonly command: string }
  | { readonly kind: 'approval-given'; readonly request: string }
  | { readonly kind: 'approval-refused'; readonly request: string; readonly reason: string }
  /**
   * Someone edited the dialect's file by hand. `gone`: it was deleted, replaced or switched off, so the user cancelled the loop or marked
   * the work as completed.
   */
  | {
      readonly kind: 'file-edited';
      readonly edits: Edits;
      readonly limits: Partial<Limits>;
      readonly counted: number;
      readonly gone: boolean;
      /** With `gone`; absent = written by a version that did not record it. */
      readonly because?: FileEnd | 'file-completed';
    }
  /** The user continues the loop in another session: from now on it answers only that one. */
  | ({ readonly kind: 'session-changed'; readonly session: SessionRef } & TakenFrom)
  /** The program of the session ended or switched to another conversation: the next session may take the loop. */
  | { readonly kind: 'session-left' }
  /**
   * The user wrote to the agent in the loop's own session. The host passes their words on; the loop only takes note. `delivers`: the messages
   * that wait for the next prompt are added to these words.
   */
  | { readonly kind: 'user-spoke'; readonly delivers?: true }
  /** The session came back after it ended without a stop: a crash, a killed process, an error nobody reported. */
  | {
      readonly kind: 'session-resumed';
      /** A different session: the user took the loop from a session whose agent was at work. */
      readonly taken?: true;
    }
  /** The host cannot continue the loop, or the user does not want it to: from now on tireless starts the agents. */
  | ({ readonly kind: 'driver-changed'; readonly agent: AgentSpec } & TakenFrom)
  /** The host's own goal was about to be marked complete, and the checks were run first. */
  | { readonly kind: 'goal-announced' }
  /** The user was shown a pause or an end that nobody saw when it happened. */
  | { readonly kind: 'outcome-shown' }
  /** In the session that the loop left, the user was shown that it moved. */
  | { readonly kind: 'move-shown' }
  /**
   * The time to resume a parked loop or to retry a failed turn has come. `agent-works`: the agent of the session is already working again,
   * so the clock no longer matters.
   */
  | { readonly kind: 'wait-ended'; readonly because?: 'agent-works' }
  /** The driver found an entry in its own name that it did not write. */
  | { readonly kind: 'tampering-found'; readonly revision: number };

/**
 * `session-returned`: the session is in use again, or the user continued there. `refused`: the person refused. `overdue`: time ran out.
 * `agent-failed`: the agent could not be resumed.
 */
export type WatcherEnd = 'session-returned' | 'refused' | 'overdue' | 'agent-failed' | 'handed-over';

/** What a host reports about a session outside a turn. Never recorded itself: an `Event` is what a loop makes of it. */
export type SessionEvent =
  | {
      readonly kind: 'session-started';
      readonly how: SessionStart;
      /** The previous id of the same conversation. */
      readonly previous?: string;
    }
  /** The program of the session exits, by itself or on a signal it can handle. */
  | {
      readonly kind: 'session-ended';
      /** Only this conversation ends: the program begins or shows another one. */
      readonly switches?: true;
    }
  /**
   * `restate`: repeat the goal beside this prompt, even if it was given when the session began. `byHost`: written by the host, not by the
   * user.
   */
  | {
      readonly kind: 'prompt-submitted';
      readonly prompt: string;
      readonly restate?: true;
      readonly byHost?: true;
    }
  /** `args`: the text after the command, byte for byte. `prefix`: the text before its name, if it is not just a slash. */
  | { readonly kind: 'command-typed'; readonly command: TypedCommand; readonly args: string; readonly prefix?: string }
  /** `saysGoalMet`: the agent calls this tool to mark one of the host's own goals as complete. */
  | {
      readonly kind: 'tool-requested';
      readonly tool: string;
      readonly input: unknown;
      readonly saysGoalMet?: true;
    };

/**
 * `new`: the host knows that the session has just begun, so nobody is returning to a loop. `compacted`: the agent lost its earlier
 * instructions. `returned`: everything else, including hosts that do not report the reason.
 */
export type SessionStart = 'new' | 'compacted' | 'returned';

/** Tells a session event from an event of a loop. */
export function isSessionEvent(event: Event | SessionEvent): event is SessionEvent {
  return ['session-started', 'session-ended', 'prompt-submitted', 'command-typed', 'tool-requested'].includes(
    event.kind,
  );
}

export const TYPED_COMMANDS = [
  'ralph',
  'cancel-ralph',
  'ralph-status',
  'ralph-approve',
  'ralph-reject',
  'ralph-help',
] as const;

export type TypedCommand = (typeof TYPED_COMMANDS)[number];

/** `from`: the session the user took the loop from. `activeMs`: how long ago its agent was active when the user insisted. */
type TakenFrom = { readonly from?: SessionRef; readonly activeMs?: number };

/** The end of a turn in a session. Without a mark, a stop that is reported twice counts twice. */
export function turnEnded(mark?: TurnMark): Event & { kind: 'turn-ended' } {
  return { kind: 'turn-ended', iteration: null, worker: null, ...(mark === undefined ? {} : { mark }) };
}

/** Both are `null` in a session: the host drives and does not number its turns, so the current iteration is meant. */
type TurnOrigin = { readonly iteration: number | null; readonly worker: string | null };

/** Why the turn was ended, if not by the agent. */
export type CutReason = 'iteration-timeout' | 'idle-timeout' | 'duration-max';

/** `usage-limit`: nothing can be used until a given time. `rate-limit`: too many requests, with no time given. */
export type FailureClass = 'transient' | 'fatal' | 'unknown' | 'usage-limit' | 'rate-limit' | 'context-full';

/** A failed turn that the transcript of a session shows. `atMs`: when it failed, epoch milliseconds. */
export type FailedTurn = { readonly atMs: number; readonly failure: Failure };

export type Failure = {
  readonly class: FailureClass;
  /** What was seen, bounded: exit code, signal, end of stderr. */
  readonly detail: string;
  /** The host did not report why: `detail` is a sentence of ours, which is shown and never classified. */
  readonly unexplained?: true;
  readonly exitCode?: number;
  /** After this many failed turns in a row there is no retry: a person is asked. Absent = only the guards end it. */
  readonly triesMax?: number;
  /** The document counts every failed turn, so no failure is waited out for free. */
  readonly counts?: true;
  /** With `usage-limit`: the end the host reported, epoch milliseconds. */
  readonly resumeAt?: number;
};
