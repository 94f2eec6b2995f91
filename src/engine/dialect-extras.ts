import type { Event } from '../core/event.ts';
import type { ApprovalDue } from '../core/evidence.ts';
import type { FileOffer, Words } from '../core/foreign-file.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import type { Extras } from './dialect-loop.ts';
import type { Visitor } from './file-owner.ts';
import type { Handled, Loaded, TurnReport } from './ports.ts';

/** What a document does beside its state file. Most documents do nothing. */
export type DialectExtras = {
  /** What a new session reads about the loop in this file; `null` = nothing. */
  readonly announce?: (
    text: string,
    beginning: { readonly session: SessionRef; readonly loop: Loaded | null; readonly offer: FileOffer | null },
  ) => string | null;
  /**
   * Updates what the document keeps beside the file, after an event of its loop: a turn, or a command of the user. Answers what the user
   * reads about it; `null` = nothing.
   */
  readonly settle?: (project: string, event: Event, handled: Handled) => string | null;
  /** Creates what the document keeps beside a new state file, once the file is written. */
  readonly written?: (project: string) => void;
  /** Answers a stop that needs more than one file: folders to look into, people to wait for. */
  readonly stop?: (request: StopRequest) => Promise<Words>;
  /** Creates the folder of a new state file where the document asks for more than the folder itself. Absolute path. */
  readonly prepare?: (file: string) => void;
  /** What the user reads about a pause or an end that nobody showed when it happened; `null` = the words for every document. */
  readonly outcomeNotice?: (loaded: Loaded) => string | null;
  /** That a person has answered what a paused loop waits for, and what comes of it; `null` = not yet, or the loop has heard it. */
  readonly answerNotice?: (loaded: Loaded) => string | null;
  /** The session is in use again: it began, or the user wrote to its agent. */
  readonly returned?: (session: SessionRef) => void;
  /** Starts the process that brings the agent back after an answer, where the last one is dead. `false` = there was none, or it cannot be started. */
  readonly restartWatch?: (loop: LoopId) => boolean;
  /** The request that a paused loop has in the folders of the document; `null` = none. */
  readonly openRequest?: (loaded: Loaded) => OpenRequest | null;
  /** What the agent reads before a prompt of the user. It moves no loop. */
  readonly remind?: (request: RemindRequest) => Promise<Reminder>;
};

/** `isOfPause`: it asks only whether the paused loop may continue. `next`: what the loop waits for once this one is answered. */
export type OpenRequest = { readonly name: string; readonly isOfPause: boolean; readonly next?: ApprovalDue };

export type RemindRequest = {
  readonly project: string;
  readonly session: string;
  /** The list of TODOs the user named; `undefined` = where the document looks. */
  readonly todos: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Empty = nothing to say. `notice` is for the user's eyes. */
export type Reminder = { readonly text: string; readonly notice?: string };

/** For a document that waits for a person. */
export type ApprovalRules = {
  /** How long the stop that asks waits; absent = as long as the host lets a hook run. */
  readonly waitMs?: number | undefined;
  /** What brings the agent back later; absent = its session is continued, where the host can do that. */
  readonly after?: AfterApproval | undefined;
  /** How long the answer is waited for after the stop. */
  readonly watchMs?: number | undefined;
};

/** `resume`: its session is continued. `outer`: the loop leaves the session. `none`: only the next stop sees the answer. */
export type AfterApproval = 'resume' | 'outer' | 'none';

type StopRequest = Pick<Visitor, 'lastSeenMs'> & {
  readonly project: string;
  readonly session: SessionRef;
  readonly event: Event;
  readonly report: TurnReport;
  readonly extras: Extras;
  readonly approval: ApprovalRules;
  /** The longest wait before the reply. */
  readonly delayMaxMs: number;
};
