import type { Decision } from '../core/decision.ts';
import type { CheckResult } from '../core/evidence.ts';
import type { Event } from '../core/event.ts';
import type { Evidence } from '../core/evidence.ts';
import type { Limit, LoopId, Spec } from '../core/loop.ts';
import type { AgentActivity } from '../engine/ports.ts';

/** What a loop does while somebody watches. The driver produces it, and a display shows it. */
export type Progress =
  | {
      readonly kind: 'loop-opened';
      readonly loop: LoopId;
      readonly goal: string;
      readonly checks: number;
      /** A person approves the finish: without checks, that is the proof. */
      readonly approval?: true;
      readonly fresh: boolean;
      readonly runningMs: number;
    }
  | {
      readonly kind: 'iteration-began';
      readonly iteration: number;
      readonly max: Limit;
      readonly rerun: boolean;
      /** The loop lives in the state file of another tool, and people see that file's counts. */
      readonly dialect?: Spec['dialect'];
    }
  | { readonly kind: 'agent-active'; readonly iteration: number; readonly activity: AgentActivity }
  /** `where`: in the clean room; absent = in the work tree. */
  | { readonly kind: 'check-began'; readonly name: string; readonly where?: 'room' }
  | { readonly kind: 'check-ended'; readonly result: CheckResult; readonly where?: 'room' }
  | {
      readonly kind: 'decided';
      readonly event: Event;
      readonly evidence: Evidence;
      readonly decision: Decision;
      readonly dialect?: Spec['dialect'];
    }
  | { readonly kind: 'waiting'; readonly untilMs: number; readonly why: 'between-iterations' | 'usage-limit' }
  | { readonly kind: 'note'; readonly text: string };

/** One way to show it: on a terminal, as plain lines, or as JSON lines. */
export type Display = {
  readonly show: (progress: Progress) => void;
  /** Restores the terminal. Safe to call twice, and from an exit handler. */
  readonly close: () => void;
};

export type Screen = {
  readonly write: (text: string) => void;
  /** The reader is so far behind that output it does not need should be left out. */
  readonly isBehind?: () => boolean;
  readonly columns: () => number;
};
