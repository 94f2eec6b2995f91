import type { Event, SessionEvent } from '../core/event.ts';
import type { SessionRef } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import type { TranscriptReader, TurnReport } from '../engine/ports.ts';
import type { HostCapabilities } from './capabilities.ts';
import type { HostExamination } from './examination.ts';
import type { Fields } from './fields.ts';
import type { HostId } from './ids.ts';
import type { HostLaunch } from './launch.ts';
import type { NoticeKinds } from './notices.ts';
import type { HostSetup } from './setup.ts';
import type { TurnWatch } from './turn-watch.ts';
import type { HostTrial } from './trial.ts';

/**
 * The contract of a host: its payload becomes an event, our answer becomes its reply. One folder each, with the same files, combined in
 * `host`. `decode` and `encode` are part of the fast hook, so they are hand-written and narrow. The bundler leaves the rest out: a stop
 * does not need the capabilities of a host, or how it is started and set up.
 */
export type Host<Id extends string = HostId> = {
  readonly id: Id;
  /** Never throws, whatever the payload. `not-ours`: no effect at all. */
  readonly decode: (payload: unknown, environment: HostEnvironment) => HostEvent | 'not-ours';
  readonly encode: (answer: HostAnswer) => Reply;
  readonly capabilities: HostCapabilities;
  readonly launch: HostLaunch;
  readonly install: HostSetup;
  readonly trial: HostTrial;
  /** What `tireless doctor` examines in its settings; absent = nothing. */
  readonly examination?: HostExamination;
  /** What its transcript shows about the agent. Absent = hooks report it, or it cannot be known. */
  readonly turns?: TurnWatch;
  /** What it reports about its screen; absent = nothing. Its hooks for these have `NOTICE_WORD`. */
  readonly notices?: NoticeKinds;
  /** If the host has its own goal: what one line of its transcript shows about it; `null` = nothing. `active`: it drives the session. */
  readonly goalStatus?: (record: Fields) => string | null;
};

/** What a decoder may read in addition to the payload. None of these throws. */
export type HostEnvironment = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Distinguishes a message from the previous one. An agent that forges a collision has only repeated itself. */
  readonly hashText: (text: string) => string;
  /** The wall clock: some hosts report the end of a limit as a time of day. */
  readonly nowMs: () => number;
  /** When this process began, on the monotonic clock. */
  readonly beganMs: () => number;
  /** `null` = there is no such file. */
  readonly bytesOf: (file: string) => number | null;
  readonly exists: (file: string) => boolean;
  readonly transcripts: TranscriptReader;
};

export type HostEvent = {
  /** `null` = the payload names none, so nothing happens. */
  readonly session: SessionRef | null;
  /** The project, absolute. The agent's own `cd` does not change it. */
  readonly cwd: string;
  /** The host's name for the event, which some replies must contain. */
  readonly name: string;
  readonly event: Event | SessionEvent;
  readonly report: TurnReport;
  readonly transcriptPath: string | null;
  /** Something else may keep this session going: see `otherLoopSigns`. */
  readonly mayHaveOtherLoop?: true;
  /** According to the host, a reply of ours began the turn that this stop ends. */
  readonly stopHookActive: boolean;
  /** The host's name for this prompt, if it has one: equal in two hooks that report the same prompt. */
  readonly promptName?: string;
};

/** Our answer, before a host encodes it. `name`: the host's name for the event. `notice`: text for the user; `null` = none. */
export type HostAnswer = { readonly name: string; readonly notice: string | null } & (
  | { readonly kind: 'silent' }
  /** After a stop: the agent continues with this prompt. `fresh`: without the earlier conversation, if the host can drop it. */
  | { readonly kind: 'go-on'; readonly prompt: string; readonly fresh?: boolean }
  /** The agent also reads this text when a session begins or the user submits a prompt. */
  | { readonly kind: 'context'; readonly text: string }
  /** A tool is not run, and the agent reads the reason; or a typed command is answered without the model, and the user reads the answer. */
  | { readonly kind: 'refuse'; readonly reason: string }
);
