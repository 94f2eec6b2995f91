import type { AgentSpec, Edits, FileEnd, Limits, LoopId, SessionRef, Spec, TurnMark, Worker } from './loop.ts';

/** Something that happened, noun-verb in the past tense. Small: raw text travels beside it and becomes evidence. */
export type Event =
  | {
      readonly kind: 'loop-started';
      readonly loop: LoopId;
      readonly spec: Spec;
      readonly session: SessionRef | null;
      readonly cwd: string;
      readonly machine: string;
    }
  /** `told`: whoever takes it hands the first prompt to the agent of the session. */
  | { readonly kind: 'baseline-taken'; readonly told?: true }
  | { readonly kind: 'worker-leased'; readonly worker: Worker }
  | { readonly kind: 'worker-released'; readonly worker: string }
  /** A process waits for a person to answer, and then brings the agent of a session back. At most one per loop. */
  | { readonly kind: 'watcher-began'; readonly worker: Worker }
  /** What it did: an agent was started, or ended. `detail` is shown, never compared. */
  | {
      readonly kind: 'watcher-acted';
      readonly worker: string;
      readonly act: 'agent-started' | 'agent-ended';
      readonly detail: string;
    }
  | { readonly kind: 'watcher-ended'; readonly worker: string; readonly why: WatcherEnd }
  /** The prompt was handed over. */
  | { readonly kind: 'iteration-began'; readonly iteration: number; readonly worker: string | null }
  | ({ readonly kind: 'turn-ended'; readonly cut?: Cut; readonly mark?: TurnMark } & OfTurn)
  | ({ readonly kind: 'turn-failed'; readonly failure: Failure } & OfTurn)
  /** The user stopped the agent's turn by hand. */
  | ({ readonly kind: 'turn-aborted' } & OfTurn)
  /** `trouble`: not a user but the driver asks, because the world does not let it go on. */
  | { readonly kind: 'pause-requested'; readonly trouble?: string }
  /** `counted`: the count of its document, where the turn that ended the loop is not in it. */
  | { readonly kind: 'resume-requested'; readonly limits?: Partial<Limits>; readonly counted?: number }
  | { readonly kind: 'cancel-requested' }
  | { readonly kind: 'steering-given'; readonly text: string }
  /** The agent of the loop tried what only a person may do (`PEOPLE_COMMANDS`, `HOME_FILES`). */
  | { readonly kind: 'attempt-refused'; readonly command: string }
  | { readonly kind: 'approval-given'; readonly request: string }
  | { readonly kind: 'approval-refused'; readonly request: string; readonly reason: string }
  /** Someone changed the dialect's file by hand. `gone`: deleted, replaced or switched off: the user's way to cancel. */
  | {
      readonly kind: 'file-edited';
      readonly edits: Edits;
      readonly limits: Partial<Limits>;
      readonly counted: number;
      readonly gone: boolean;
      /** With `gone`; absent = by a version that did not keep it. */
      readonly because?: FileEnd;
    }
  /** The user goes on with the loop in another session: from now on it answers that one and no other. */
  | ({ readonly kind: 'session-changed'; readonly session: SessionRef } & Left)
  /** The program of the loop's session ended, or began another conversation: the loop is free for the next session. */
  | { readonly kind: 'session-left' }
  /** The user wrote to the agent in the loop's own session. Their words reach it through the host; the loop only takes note. */
  | { readonly kind: 'user-spoke' }
  /** The session came back after it ended without a stop: a crash, a killed process, an error nobody reported. */
  | {
      readonly kind: 'session-resumed';
      /** Not the same session: the user took the loop from one whose agent was at work. */
      readonly taken?: true;
    }
  /** The host cannot go on with the loop, or the user does not want it to: from now on tireless starts the agents. */
  | ({ readonly kind: 'driver-changed'; readonly agent: AgentSpec } & Left)
  /** The host's own goal was about to be called complete, and the checks were asked about it. */
  | { readonly kind: 'goal-announced' }
  /** The user was shown that the loop paused or ended, which nobody showed when it happened. */
  | { readonly kind: 'outcome-shown' }
  /** The user was shown, in the session that the loop has left, that it did. */
  | { readonly kind: 'move-shown' }
  /**
   * The time a parked loop was waiting for has come, or that of the next try after a failed turn. `agent-works`: whatever the clock says, the
   * agent of its session is at work again.
   */
  | { readonly kind: 'wait-ended'; readonly because?: 'agent-works' }
  /** The driver found an entry in its own name that it did not write. */
  | { readonly kind: 'tampering-found'; readonly revision: number };

/**
 * `session-returned`: the session is in use again, or was continued there. `refused`: the person said no. `overdue`: its time is over.
 * `agent-failed`: the agent could not be brought back.
 */
export type WatcherEnd = 'session-returned' | 'refused' | 'overdue' | 'agent-failed' | 'handed-over';

/** What happens in a session beside a turn, as a host tells it. Not journaled as it is: `Event` is what a loop makes of it. */
export type SessionEvent =
  | {
      readonly kind: 'session-started';
      readonly how: SessionStart;
      /** The same conversation under its old name. */
      readonly previous?: string;
    }
  /** The program of the session ends, by itself or by a signal that it could hear. */
  | {
      readonly kind: 'session-ended';
      /** Only this conversation ends: the program begins or shows another one. */
      readonly switches?: true;
    }
  /**
   * `restate`: whatever was said when the session began, the goal is said again beside this prompt. `byHost`: the host wrote it, not the user.
   */
  | {
      readonly kind: 'prompt-submitted';
      readonly prompt: string;
      readonly restate?: true;
      readonly byHost?: true;
    }
  /** `args`: what stands after the command, byte for byte. `prefix`: what stands before its name, where that is not a slash alone. */
  | { readonly kind: 'command-typed'; readonly command: TypedCommand; readonly args: string; readonly prefix?: string }
  /** `saysGoalMet`: with this tool the agent tells a goal of the host itself that it is complete. */
  | {
      readonly kind: 'tool-requested';
      readonly tool: string;
      readonly input: unknown;
      readonly saysGoalMet?: true;
    };

/**
 * `new`: the host knows that the session has just begun, so nobody came back to a loop. `compacted`: the agent has lost what it was told.
 * `returned`: everything else, also where the host does not say.
 */
export type SessionStart = 'new' | 'compacted' | 'returned';

/** Tells it from what a loop is moved by. */
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

/** `from`: the session that the user took it from. `activeMs`: they insisted, although its agent was active so long before. */
type Left = { readonly from?: SessionRef; readonly activeMs?: number };

/** Both `null` in a session, where the host drives and knows no numbers: the current iteration is meant. */
type OfTurn = { readonly iteration: number | null; readonly worker: string | null };

/** Who ended the turn, when it was not the agent. */
export type Cut = 'iteration-timeout' | 'idle-timeout' | 'duration-max';

/** `usage-limit`: nothing may be used until a time. `rate-limit`: too many requests, and nobody said when there may be more. */
export type FailureClass = 'transient' | 'fatal' | 'unknown' | 'usage-limit' | 'rate-limit' | 'context-full';

export type Failure = {
  readonly class: FailureClass;
  /** What was seen, bounded: exit code, signal, the end of stderr. */
  readonly detail: string;
  readonly exitCode?: number;
  /** A turn that failed this often in a row is not tried again: a person is asked. Absent = only the guards end it. */
  readonly triesMax?: number;
  /** With `usage-limit`: when the host said it ends, epoch milliseconds. */
  readonly resumeAt?: number;
};
