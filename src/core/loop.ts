import type { Unmet } from './decision.ts';
import type { CheckResult, ClockReading, Usage } from './evidence.ts';
import type { FinishRule } from './finish-rule.ts';
import type { ClaimRule } from './claim.ts';
import type { FileIdentity } from './foreign-file.ts';
import type { ProgressState, Strategy } from './progress.ts';
import type { PromptMark } from './prompt-mark.ts';
import type { RoomBaseline, RoomSpec } from './room.ts';
import type { Trouble } from './trouble.ts';
import type { LastTurn } from './turn-mark.ts';

/** Made by us (`system/ids.ts`): lower-case letters, digits and dashes, safe as a path part. */
export type LoopId = string;

export type SessionRef = { readonly host: string; readonly id: string };

type MaybeSession = SessionRef | null | undefined;

/** `false` if either is missing. */
export function isSameSession(a: MaybeSession, b: MaybeSession): boolean {
  return a?.host !== undefined && a.host === b?.host && a.id === b.id;
}

/** One string per session, as a map key. */
export function sessionKey({ host, id }: SessionRef): string {
  return JSON.stringify([host, id]);
}

/** `unlimited` must be requested by that word; it is never a default or the result of a typo. */
export type Limit = number | 'unlimited';

export type Limits = {
  readonly iterationsMax: Limit;
  readonly durationMaxMs: Limit;
  readonly costMaxUsd: Limit;
  readonly tokensMax: Limit;
  readonly faultsInRowMax: Limit;
  readonly noProgressMax: Limit;
};

export const DEFAULT_LIMITS: Limits = {
  iterationsMax: 20,
  durationMaxMs: 4 * 60 * 60 * 1000,
  costMaxUsd: 'unlimited',
  tokensMax: 'unlimited',
  faultsInRowMax: 3,
  noProgressMax: 3,
};

/** The number a guard compares with. A limit that is neither a number nor `unlimited` (an old or damaged journal) is never reached. */
export function limitValue(limit: Limit | undefined): number {
  return typeof limit === 'number' && !Number.isNaN(limit) ? limit : Infinity;
}

/** `limits` with `changes` applied; a change that is missing or not a limit leaves the old one in force. */
export function limitsWith(limits: Limits, changes: Partial<Limits> | undefined): Limits {
  const now = (name: keyof Limits): Limit => {
    const changed = changes?.[name];
    if (changed === 'unlimited') return changed;
    return limitValue(changed) < Infinity ? limitValue(changed) : limits[name];
  };
  return {
    iterationsMax: now('iterationsMax'),
    durationMaxMs: now('durationMaxMs'),
    costMaxUsd: now('costMaxUsd'),
    tokensMax: now('tokensMax'),
    faultsInRowMax: now('faultsInRowMax'),
    noProgressMax: now('noProgressMax'),
  };
}

export const ITERATIONS_MAX_CEILING = 10_000;

export type Timing = {
  readonly iterationTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly pauseBetweenMs: number;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
};

export const DEFAULT_TIMING: Timing = {
  iterationTimeoutMs: 30 * 60 * 1000,
  idleTimeoutMs: 10 * 60 * 1000,
  pauseBetweenMs: 0,
  backoffBaseMs: 1000,
  backoffMaxMs: 60 * 1000,
};

/** Something tireless looks at itself. Paths are relative to the project, because a loop can move. */
export type Probe =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'file-exists'; readonly path: string }
  | { readonly kind: 'file-moved'; readonly path: string; readonly folder: string }
  | { readonly kind: 'file-matches'; readonly path: string; readonly pattern: string }
  | { readonly kind: 'json-value'; readonly path: string; readonly pointer: string; readonly equals: unknown }
  | { readonly kind: 'git-clean' };

export type CheckSpec = {
  readonly name: string;
  readonly probe: Probe;
  readonly timeoutMs: number;
  /** Never shown to the agent, and run only when everything else passes. */
  readonly holdout: boolean;
  /** Report files that the command writes, relative to the project (globs): the number of tests is read from them. Absent = from its output. */
  readonly reports?: readonly string[];
};

export const DEFAULT_CHECK_TIMEOUT_MS: number = 10 * 60 * 1000;

/** Who vouches for a criterion. Only `check` and `human` can make a completion verified. */
export type Criterion =
  | { readonly text: string; readonly by: 'agent' | 'human' }
  | { readonly text: string; readonly by: 'check'; readonly check: string };

/** What the user asked for. Frozen and hashed at the start; contains no machine-specific path. */
export type Spec = {
  readonly version: 1;
  readonly goal: string;
  /** `outer`: tireless starts the agent. `session`: the agent's own stop hook calls tireless. */
  readonly driver: 'outer' | 'session';
  /** `undefined` = the default rule, which depends on the baseline (`finishRuleOf`). */
  readonly finish?: FinishRule;
  readonly claim: ClaimRule;
  /** The user passed `--claim`: checks alone do not complete the loop. */
  readonly claimRequired: boolean;
  /** Checks that passed before the agent began do not verify the goal. Absent = they do: an older loop, or one with a document's rules. */
  readonly greenProvesNothing?: true;
  readonly checks: readonly CheckSpec[];
  /** Otherwise they run in parallel. */
  readonly checksInOrder: boolean;
  readonly criteria: readonly Criterion[];
  readonly protect: readonly string[];
  /** How the clean room is made; absent = passing in the work tree is enough. */
  readonly room?: RoomSpec;
  readonly limits: Limits;
  readonly timing: Timing;
  readonly approveFinish: boolean;
  /** Set if a typed command (`/ralph`) started the loop: commands in sessions of this host begin with this prefix. */
  readonly typed?: { readonly host: string; readonly prefix: string };
  /** Judge and record everything, but never keep the agent going. For a session that has its own loop. */
  readonly observe?: true;
  /** The agent's notes, relative to the project; absent = none. */
  readonly tracker?: string;
  /** How the outer driver starts the agent; absent in a session. */
  readonly agent?: AgentSpec;
  /** `sandbox`: the agent's file access is restricted too. `none`: not even its processes are contained. Absent = its processes die with its turn. */
  readonly containment?: 'none' | 'sandbox';
  /** The foreign state file that mirrors this loop beside its journal, relative to the project. */
  readonly dialect?: {
    readonly name: string;
    readonly file: string;
    /** Names of the checks that were defined in the file itself when the loop began. */
    readonly checks?: readonly string[];
    /** What distinguished this loop from others in the same file when it began; absent = started by a version that did not record it. */
    readonly identity?: FileIdentity;
    /** Turns before the document's first iteration, if its counter started below that one; they count here too. Absent = none. */
    readonly turnsBefore?: number;
  };
  /** A document's own text from the second iteration on, instead of ours: `{{ITERATION}} {{MAX}} {{CLAIM}} {{GOAL}} {{UNMET}}`. */
  readonly continuation?: string;
  /** `apart`: in a session whose prompts are injected after the reply; each of them starts with `iteration-began`. Absent = the reply is the delivery. */
  readonly delivery?: 'apart';
};

/** Changes made by a hand edit of a dialect's file or by another driver. The original spec stays; these apply from then on. */
export type Edits = Partial<
  Pick<
    Spec,
    | 'goal'
    | 'claim'
    | 'criteria'
    | 'continuation'
    | 'checks'
    | 'finish'
    | 'protect'
    | 'room'
    | 'timing'
    | 'driver'
    | 'agent'
    | 'dialect'
  >
>;

export type AgentSpec =
  | { readonly kind: 'command'; readonly command: string }
  /** `args`: arguments the user adds to the agent's own command line. */
  | { readonly kind: 'named'; readonly name: string; readonly args?: readonly string[] };

/** The name of an agent that is a function of the program that runs the loop: no other process can start it. */
export const FUNCTION_AGENT = 'function';

export type Status = 'pending' | 'running' | 'paused' | 'completed' | 'halted' | 'cancelled';

/** A process that drives a loop. Alive means: same machine, same boot, same pid with the same start time. */
export type Worker = {
  readonly id: string;
  readonly machine: string;
  readonly boot: string;
  readonly pid: number;
  readonly startTime: string;
};

export type Guard =
  | 'iterations-max'
  | 'duration-max'
  | 'cost-max'
  | 'tokens-max'
  | 'faults-in-row'
  | 'no-progress'
  /** For loops in state files: the turns of one project in one day. */
  | 'day-max'
  | 'agent-failed'
  /** Someone else wrote an entry in the driver's name (`actual`: its revision). */
  | 'tampered';

export type PauseCause =
  | 'user'
  | 'trouble'
  | 'blocked'
  /** The agent's turns failed as often as retries allow (`question`: why the last one failed). */
  | 'failed'
  | 'approval'
  | 'review'
  | 'usage-limit'
  | 'usage-unknown'
  | 'aborted'
  /** The host will not let the agent continue (`request`: `replies-in-row` or `context-full`). */
  | 'handed-over';

export type Pause = {
  readonly cause: PauseCause;
  /** The exact action the person has to take, or what the agent said it is blocked on. */
  readonly question?: string;
  /** Epoch milliseconds; the driver then continues by itself. */
  readonly resumeAt?: number;
  /** What an approval is given for (`finish`, `protected-files`, `work:…`). */
  readonly request?: string;
  /** Further requests: the loop stays paused until each of them is answered. */
  readonly others?: readonly string[];
  /** For a request about work that the room saw: the hash of that work. */
  readonly work?: string;
};

/** How a completion was verified: in the clean room, by checks in the work tree only, or by a person. */
export type Level = 'room' | 'tree' | 'approval';

export type Outcome =
  | {
      readonly kind: 'completed';
      readonly verified: boolean;
      readonly level?: Level;
      /** Unverified, because the checks also passed before the agent began. The value is where they pass now: nothing broke there. */
      readonly greenBefore?: 'room' | 'tree';
      /** Checks that passed only on their second run. */
      readonly flaky?: readonly string[];
    }
  | {
      readonly kind: 'halted';
      readonly guard: Guard;
      readonly limit: number | null;
      readonly actual: number | null;
      readonly detail?: string;
    }
  | { readonly kind: 'cancelled'; readonly because?: CancelCause };

/** How a dialect's file ended its loop: it was removed or replaced, or switched off. */
export type FileEnd = 'file-removed' | 'file-switched-off';

/** Why a loop was cancelled, if nobody asked for it. */
export type CancelCause = FileEnd | OwnCancel;

/** tireless cancels a loop that could not start, and a loop whose document ends it together with its session. */
export type OwnCancel = 'start-failed' | 'session-ended';

/** Where the loop stands. Changes only through `advance`. */
export type State = {
  readonly version: 1;
  readonly loop: LoopId;
  readonly status: Status;
  /** `ready`: the next prompt is decided but not delivered. `working`: delivered, and the turn has not ended. */
  readonly phase: 'ready' | 'working';
  /** Iterations that ended and count. The current one, if there is one, is `counted + 1`. */
  readonly counted: number;
  readonly limits: Limits;
  readonly edits: Edits;
  /** What was read from and written to the dialect's file; `null` = the loop has none. */
  readonly file: FileMark | null;
  readonly faults: number;
  readonly faultsInRow: number;
  /** Turns since the last successful one that failed for a reason we wait out (rate limits, outages); absent = none. */
  readonly waitedOutInRow?: number;
  readonly runningMs: number;
  /** When running time was last added up; `null` while nothing runs. */
  readonly runningSince: ClockReading | null;
  readonly usage: Usage;
  readonly progress: ProgressState;
  /** How many replies in a row kept the agent of a session going: some hosts obey only a limited number. Absent = 0. */
  readonly repliesInRow?: number;
  /** How the agent of a session calls tireless, as last shown to it; absent = by its name. */
  readonly call?: string;
  /** Authenticate the results of checks that outlasted their hook, until the turn is judged. */
  readonly vouchers?: readonly string[];
  /** What the prompt of iteration `counted + 1` has to say; set by the decision that called for it. */
  readonly plan: Plan;
  /** The agent of the session has read the first prompt: whoever started the loop gave it there. */
  readonly firstPromptGiven?: true;
  /** The last delivered prompts, newest last; absent = none yet, or the version did not record them. */
  readonly prompts?: readonly PromptMark[];
  /** The rule in force, resolved once the baseline is known; `null` while pending. */
  readonly finish: FinishRule | null;
  readonly baseline: readonly CheckResult[] | null;
  readonly checks: readonly CheckResult[];
  readonly criteriaMet: readonly string[];
  /** The claim of the last counted turn: an approval that comes later still needs it. */
  readonly claimed: string | null;
  /** Messages from the user that no prompt has carried yet. */
  readonly steering: readonly Message[];
  /** Messages in the current prompt; they are queued again if its iteration has to run again. */
  readonly steeringSent: readonly Message[];
  readonly approvals: readonly string[];
  /** How often the agent tried something only a person may do, as far as recorded; absent = never. */
  readonly attemptsRefused?: number;
  /** The protected files as they were at the start, or as a person accepted them later. */
  readonly protectedAccepted: ProtectedMark | null;
  /** What was kept for the clean room at the start; absent = nothing, or the version had no rooms. */
  readonly room?: RoomBaseline;
  /** Results of checks when they last ran in the room with the judge's files of the baseline. */
  readonly roomChecks?: readonly CheckResult[];
  /** Doubts the agent was sent back with. If it does not change its work, the loop waits for a person (`doubtKeys`). */
  readonly doubts?: readonly string[];
  /** Background work that outlasted the wait of a stop: it delays no other stop. */
  readonly outlasted?: readonly string[];
  readonly lastMessage: string;
  readonly lastTurn: LastTurn | null;
  /** How the last turn was cut short or failed, for the next prompt. */
  readonly lastTrouble: Trouble | null;
  readonly worker: Worker | null;
  /** The process that waits for a person, in a loop of a session; absent = there is none. */
  readonly watcher?: Worker;
  readonly pause: Pause | null;
  readonly outcome: Outcome | null;
  /** The loop paused or ended, and the user has not seen that yet. */
  readonly unseen?: true;
  readonly session: SessionRef | null;
  /** The loop is running, but nobody is at work. `retryAt`: when a failed turn is retried, epoch milliseconds; `null` = it waits for a person. `awaitsAnswer`: the host asked the user for a permission in this turn. */
  readonly resting?: { readonly retryAt: number | null };
  readonly awaitsAnswer?: true;
  /** The program of that session has ended, with no sign of life from the session since; absent = not known. */
  readonly sessionLeft?: true;
  /** The session the user took the loop from, until the move is shown there; absent = nobody has to be notified. */
  readonly movedFrom?: SessionRef;
  readonly cwd: string;
  readonly machine: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
};

/** The user's words, or a request the user refused. */
export type Message = string | { readonly refused: string; readonly reason: string };

/** Hashes of a dialect's file, `null` = absent. `written`: as we left it. `read`, or an older one of ours: a crash or a slow writer came between commit and rename, so it is written again. Anything else is a hand edit. */
export type FileMark = {
  readonly read: string | null;
  readonly written: string | null;
  readonly older: readonly string[];
  /** The count that the written text shows; absent = nothing was written, or the version did not record it. */
  readonly counted?: number;
};

export type ProtectedMark = { readonly hash: string; readonly manifest: string };

export type Plan = {
  readonly strategy: Strategy;
  readonly last: boolean;
  readonly rerun: boolean;
  /** The prompt tells the agent to wait for checks that are still running; the iteration is the one before it. */
  readonly waiting?: true;
  /** The prompt does not repeat the goal and the rules. */
  readonly brief?: true;
  readonly unmet: readonly Unmet[];
  /** Running time when the plan was made: a prompt must read the same before and after its delivery. */
  readonly runningMs: number;
};

export function isEnded(state: State): boolean {
  return state.status === 'completed' || state.status === 'halted' || state.status === 'cancelled';
}

/** What people call "the iteration": the one in progress, or the last one that ended. */
export function iterationOf(state: State): number {
  return isEnded(state) || state.status === 'pending'
    ? state.counted
    : state.status === 'paused' && state.phase === 'ready' && !state.plan.rerun && state.plan.waiting !== true
      ? Math.max(state.counted, 1)
      : state.counted + 1;
}
