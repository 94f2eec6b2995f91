import type { Event, SessionEvent } from '../core/event.ts';
import type { SessionRef } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import type { TranscriptReader, TurnReport } from '../engine/ports.ts';
import type { HostCapabilities } from './capabilities.ts';
import type { HostExamination } from './examination.ts';
import type { Fields } from './fields.ts';
import type { HostId } from './ids.ts';
import type { HostLaunch } from './launch.ts';
import type { HostSetup } from './setup.ts';
import type { TurnWatch } from './turn-watch.ts';
import type { HostTrial } from './trial.ts';

/**
 * The contract of a host: its payload becomes an event, our answer becomes its reply. One folder each, with the same files, and
 * `host` has them as one. `decode` and `encode` travel in the fast hook, so they are hand-written and narrow. The bundler leaves the
 * rest out of it: a stop needs neither what a host can do, nor how it is started and set up.
 */
export type Host<Id extends string = HostId> = {
  readonly id: Id;
  /** Never throws, whatever it is given. `not-ours`: no effect at all. */
  readonly decode: (payload: unknown, environment: HostEnvironment) => HostEvent | 'not-ours';
  readonly encode: (answer: HostAnswer) => Reply;
  readonly capabilities: HostCapabilities;
  readonly launch: HostLaunch;
  readonly install: HostSetup;
  readonly trial: HostTrial;
  /** What `tireless doctor` looks at in its settings; absent = nothing. */
  readonly examination?: HostExamination;
  /** What its transcript shows about the agent. Absent = hooks report it, or nobody can tell. */
  readonly turns?: TurnWatch;
  /** Where the host has a goal of its own: what one line of its transcript says about it; `null` = nothing. `active`: it drives the session. */
  readonly goalStatus?: (record: Fields) => string | null;
};

/** What a decoder may ask of the world beside the payload. None of these throws. */
export type HostEnvironment = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Tells what was said from what was said before. Who makes two texts with one sum has only said the same twice. */
  readonly hashText: (text: string) => string;
  /** The wall clock: some hosts name the time of day at which a limit ends. */
  readonly nowMs: () => number;
  /** When this process began, on the monotonic clock. */
  readonly beganMs: () => number;
  /** `null` = there is no such file. */
  readonly bytesOf: (file: string) => number | null;
  readonly isThere: (file: string) => boolean;
  readonly transcripts: TranscriptReader;
};

export type HostEvent = {
  /** `null` = the payload names none, and then nothing happens. */
  readonly session: SessionRef | null;
  /** The project, absolute. The agent's own `cd` does not move it. */
  readonly cwd: string;
  /** What the host calls it: some replies have to say so. */
  readonly name: string;
  readonly event: Event | SessionEvent;
  readonly report: TurnReport;
  readonly transcriptPath: string | null;
  /** Something else may keep this session going: see `otherLoopSigns`. */
  readonly mayHaveOtherLoop?: true;
  /** The host says that this stop comes after a reply of ours that kept the agent going. */
  readonly stopHookActive: boolean;
  /** How the host names this prompt of the user, where it does: two hooks that report one prompt say the same. */
  readonly promptName?: string;
};

/** What is answered, in our words. `name`: of the event, as the host calls it. `notice`: what the user has to know; `null` = nothing. */
export type HostAnswer = { readonly name: string; readonly notice: string | null } & (
  | { readonly kind: 'silent' }
  /** After a stop: the agent continues with this prompt. `fresh`: without what was said before, where the host can. */
  | { readonly kind: 'go-on'; readonly prompt: string; readonly fresh?: boolean }
  /** Before the agent reads on (a session begins, the user submits a prompt): it reads this too. */
  | { readonly kind: 'context'; readonly text: string }
  /** A tool is not run, and the agent reads why; or a typed command is answered without the model, and the user reads the answer. */
  | { readonly kind: 'refuse'; readonly reason: string }
);
