import type { Event } from '../core/event.ts';
import type { ApprovalDue } from '../core/evidence.ts';
import type { FileOffer, Words } from '../core/foreign-file.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import type { UserAdditions } from './start-from-file.ts';
import type { Sightings } from './file-owner.ts';
import type { Handled, Loaded, TurnReport } from './ports.ts';

/** What a document does in addition to its state file. Most documents do nothing. */
export type DialectExtras = {
  /** The text about the loop in this file for a new session; `null` = none. */
  readonly announce?: (
    text: string,
    beginning: { readonly session: SessionRef; readonly loop: Loaded | null; readonly offer: FileOffer | null },
  ) => string | null;
  /**
   * Updates what the document keeps beside the file after an event of its loop (a turn or a user's command). Returns the notice for the
   * user; `null` = none.
   */
  readonly settle?: (project: string, event: Event, handled: Handled) => string | null;
  /** Creates what the document keeps beside a new state file, once the file is written. */
  readonly written?: (project: string) => void;
  /** Answers a stop that needs more than one file: folders to look into, people to wait for. */
  readonly stop?: (request: StopRequest) => Promise<Words>;
  /** Creates the folder of a new state file, if an empty folder is not enough. Absolute path. */
  readonly prepare?: (file: string) => void;
  /** The notice for a pause or an end that nobody saw when it happened; `null` = the default notice. */
  readonly outcomeNotice?: (loaded: Loaded) => string | null;
  /** Reports that a person has answered what a paused loop waits for, and what happens next; `null` = no answer yet, or the loop already has it. */
  readonly answerNotice?: (loaded: Loaded) => string | null;
  /** The session is in use again: it began, or the user wrote to its agent. */
  readonly returned?: (session: SessionRef) => void;
  /** Starts the process that brings the agent back after an answer, if the last one died. `false` = there was none, or it cannot be started. */
  readonly restartWatch?: (loop: LoopId) => boolean;
  /** The open request of a paused loop in the document's folders; `null` = none. */
  readonly openRequest?: (loaded: Loaded) => OpenRequest | null;
  /** The text for the agent before a prompt of the user. Changes no loop. */
  readonly remind?: (request: RemindRequest) => Promise<Reminder>;
};

/** `isOfPause`: it only asks whether the paused loop may continue. `next`: what the loop waits for after that. */
export type OpenRequest = { readonly name: string; readonly isOfPause: boolean; readonly next?: ApprovalDue };

export type RemindRequest = {
  readonly project: string;
  readonly session: string;
  /** The TODO list named by the user; `undefined` = the document's own place. */
  readonly todos: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Empty = no reminder. `notice` is shown to the user. */
export type Reminder = { readonly text: string; readonly notice?: string };

/** For a document that can wait for a person. */
export type ApprovalRules = {
  /** How long the stop that asks will wait; absent = as long as the host lets a hook run. */
  readonly waitMs?: number | undefined;
  /** How to bring the agent back later; absent = continue its session, if the host can do that. */
  readonly after?: AfterApproval | undefined;
  /** How long to wait for the answer after the stop. */
  readonly watchMs?: number | undefined;
};

/** `resume`: the session is continued. `outer`: the loop leaves the session. `none`: only the next stop sees the answer. */
export type AfterApproval = 'resume' | 'outer' | 'none';

type StopRequest = Sightings & {
  readonly project: string;
  readonly session: SessionRef;
  readonly event: Event;
  readonly report: TurnReport;
  readonly extras: UserAdditions;
  readonly approval: ApprovalRules;
  /** The longest wait before the reply. */
  readonly delayMaxMs: number;
};
