import type { Decision } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import type { SessionRef } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import type { TurnReport } from '../engine/ports.ts';

/** The contract of a host: its payload becomes an event, our decision becomes its reply. Hand-written narrow readers: they travel in the hook. */
export type Host = {
  readonly id: HostId;
  /** Never throws, whatever it is given. `not-ours`: no effect at all. */
  readonly decode: (payload: unknown, environment: HostEnvironment) => HostEvent | 'not-ours';
  readonly encode: (answer: HostAnswer) => Reply;
  readonly capabilities: HostCapabilities;
};

export const HOST_IDS = ['claude-code', 'codex', 'gemini', 'qwen', 'copilot', 'opencode', 'pi', 'droid'] as const;

export type HostId = (typeof HOST_IDS)[number];

/** What a decoder may ask of the world beside the payload. None of these throws. */
export type HostEnvironment = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly hashText: (text: string) => string;
  /** `null` = there is no such file. */
  readonly bytesOf: (file: string) => number | null;
  /** The end of a transcript: what the agent said last in this turn; `null` = nothing, or it cannot be read. */
  readonly lastMessageIn: (transcript: string) => string | null;
};

export type HostEvent = {
  /** `null` = the payload names none, and then nothing happens. */
  readonly session: SessionRef | null;
  /** The project, absolute. The agent's own `cd` does not move it. */
  readonly cwd: string;
  readonly event: Event | SessionEvent;
  readonly report: TurnReport;
  readonly transcriptPath: string | null;
  /** The host says that this stop comes after a reply of ours that kept the agent going. */
  readonly stopHookActive: boolean;
};

/** What happens in a session beside a turn. No loop is moved by it; a dialect may have a word to say. */
export type SessionEvent =
  | { readonly kind: 'session-started'; readonly source: string }
  | { readonly kind: 'prompt-submitted'; readonly prompt: string };

export type HostAnswer = {
  readonly decision: Decision;
  /** With `continue`: what the agent is told. */
  readonly prompt: string;
  /** What the user has to know; `null` = nothing. */
  readonly notice: string | null;
};

export type HostCapabilities = {
  /** Can a reply to a stop send the agent back to work? */
  readonly continuesAtStop: boolean;
  /** How many such replies in a row the host obeys before it stops anyway, unless it is configured otherwise. */
  readonly continuationsInRowMax: number | 'unlimited';
  readonly reportsBackgroundWork: boolean;
  readonly reportsUsage: boolean;
  /** Does the reply have a field for the user's eyes only? */
  readonly tellsUser: boolean;
};
