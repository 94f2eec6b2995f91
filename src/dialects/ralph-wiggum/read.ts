import * as z from 'zod/mini';
import {
  DEFAULT_CHECK_TIMEOUT_MS,
  DEFAULT_LIMITS,
  DEFAULT_TIMING,
  isEnded,
  ITERATIONS_MAX_CEILING,
} from '../../core/loop.ts';
import type { CheckSpec, Limit } from '../../core/loop.ts';
import type { FinishRule } from '../../core/finish-rule.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import type { Loop } from '../../core/journal.ts';
import type { Counting } from '../counting.ts';
import { countedFrom, counterFor, turnsAllowed } from '../counting.ts';
import type { Dialect } from '../dialect.ts';
import { readJson, setValues } from '../json-file.ts';
import { errorsAfter, iterationsAfter } from './records.ts';
import { wiggumWords } from './words.ts';

export const WIGGUM_VAULT = 'AI_Employee_Vault';
export const WIGGUM_STATE_FOLDER: string = `${WIGGUM_VAULT}/Ralph_State`;

/** The document's table of parameters. */
const MAX_ITERATIONS_DEFAULT = 10;
const TIMEOUT_SECONDS_DEFAULT = 3600;
const PAUSE_SECONDS_DEFAULT = 1;
/** A file may say what it likes; more than a day of either is a slip. */
const SECONDS_MAX = 24 * 60 * 60;

/** A stop compares first and adds later, from 0: a maximum of M allows M + 1 turns. */
const COUNTING: Counting = { start: 0, addsFirst: false };
/** The name of the check that `watch_file` is. */
const WATCH_CHECK = 'watch_file';

const Whole = z.int().check(z.nonnegative());
const Seconds = z.number().check(z.nonnegative(), z.maximum(SECONDS_MAX));
const STATUSES = [
  'pending',
  'running',
  'paused_awaiting_approval',
  'completed',
  'max_iterations_reached',
  'stopped',
] as const;
const StateFile = z.object({
  loop_id: z.optional(z.string()),
  prompt: z.string().check(z.minLength(1)),
  max_iterations: z.optional(Whole),
  completion_promise: z.nullish(z.string()),
  current_iteration: z.optional(Whole),
  status: z.optional(z.enum(STATUSES)),
  started_at: z.optional(z.string()),
  session_id: z.nullish(z.string()),
  iterations: z.optional(z.unknown()),
  errors: z.optional(z.unknown()),
  paused_for_approval: z.nullish(z.boolean()),
  watch_file: z.nullish(z.string()),
  done_folder: z.nullish(z.string()),
  timeout: z.optional(Seconds),
  pause_between_iterations: z.optional(Seconds),
});

/** By hand, not inferred: the package's types are made file by file. */
export type WiggumFile = {
  readonly loop_id?: string | undefined;
  readonly prompt: string;
  readonly max_iterations?: number | undefined;
  readonly completion_promise?: string | null | undefined;
  readonly current_iteration?: number | undefined;
  readonly status?: WiggumStatus | undefined;
  readonly started_at?: string | undefined;
  readonly session_id?: string | null | undefined;
  readonly iterations?: unknown;
  readonly errors?: unknown;
  readonly paused_for_approval?: boolean | null | undefined;
  readonly watch_file?: string | null | undefined;
  readonly done_folder?: string | null | undefined;
  readonly timeout?: number | undefined;
  readonly pause_between_iterations?: number | undefined;
};

type WiggumStatus =
  | 'pending'
  | 'running'
  | 'paused_awaiting_approval'
  | 'completed'
  | 'max_iterations_reached'
  | 'stopped';

/** The state files of the "Ralph Wiggum" reference: any number of `RALPH_*.json` in one folder, each a loop of its own. */
export const ralphWiggum: Dialect = ralphWiggumIn(WIGGUM_STATE_FOLDER);

/** The same, with its state files in another folder, relative to the project. */
export function ralphWiggumIn(folder: string): Dialect {
  return {
    name: 'ralph-wiggum',
    read,
    project,
    withSession,
    filesFor: ({ list }) =>
      list(folder)
        .filter((name) => name.startsWith('RALPH_') && name.endsWith('.json'))
        .toSorted()
        .map((name) => `${folder}/${name}`),
    wordsFor: wiggumWords,
    replyForm: 'json',
  };
}

/** The fields as they stand; `undefined` = not a state file. */
export function wiggumFile(text: string): WiggumFile | undefined {
  return StateFile.safeParse(readJson(text)).data;
}

/** A file for a loop that has none yet. */
export function newWiggumFile(loop: Loop): string {
  const { spec, state } = loop;
  const { iterationsMax, durationMaxMs } = state.limits;
  const { pauseBetweenMs } = spec.timing;
  const turnsMax = iterationsMax === 'unlimited' ? ITERATIONS_MAX_CEILING + 1 : iterationsMax;
  const watched = spec.checks.find((check) => check.probe.kind === 'file-moved')?.probe;
  const fields = {
    loop_id: `RALPH_${state.loop}`,
    prompt: spec.goal,
    max_iterations: Math.max(0, turnsMax - 1),
    completion_promise: spec.claim.texts[0] ?? null,
    current_iteration: counterFor(state.counted, COUNTING),
    status: statusOf(loop, 'pending'),
    started_at: state.startedAt,
    iterations: [],
    errors: [],
    paused_for_approval: state.status === 'paused',
    // What nobody asked for is the document's to say, not ours.
    ...(durationMaxMs === DEFAULT_LIMITS.durationMaxMs ? {} : { timeout: secondsOf(durationMaxMs) }),
    ...(pauseBetweenMs === DEFAULT_TIMING.pauseBetweenMs
      ? {}
      : { pause_between_iterations: secondsOf(pauseBetweenMs) }),
    ...(state.session?.host === 'claude-code' ? { session_id: state.session.id } : {}),
    ...(watched?.kind === 'file-moved' ? { watch_file: watched.path, done_folder: watched.folder } : {}),
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

function secondsOf(limit: Limit): number {
  return limit === 'unlimited' ? SECONDS_MAX : Math.min(SECONDS_MAX, limit / 1000);
}

function read(text: string): FileReading {
  const parsed = StateFile.safeParse(readJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where =
      issue === undefined || issue.path.length === 0 ? 'it is not a JSON object' : `"${issue.path.join('.')}" is wrong`;
    return { kind: 'invalid', why: `${where} (a state file has at least "prompt")` };
  }
  const file = parsed.data;
  const claim = file.completion_promise ?? '';
  const watched = watchCheck(file);
  const rules: FinishRule[] = [
    ...(claim === '' ? [] : [{ kind: 'claim' } as const]),
    ...watched.map((check) => ({ kind: 'file-moved', name: check.name }) as const),
  ];
  return {
    kind: 'loop',
    active: !isOver(file.status),
    session: file.session_id === '' ? null : (file.session_id ?? null),
    goal: file.prompt,
    claim: { texts: claim === '' ? [] : [claim], form: 'tag-anywhere', tag: 'promise', fold: false },
    // Nothing to complete it by: then only its limits end it, as in the document.
    finish: { kind: 'any', of: rules },
    checks: watched,
    criteria: [],
    counted: countedFrom(file.current_iteration ?? 0, COUNTING),
    iterationsMax: turnsAllowed(file.max_iterations ?? MAX_ITERATIONS_DEFAULT, COUNTING),
    durationMaxMs: (file.timeout ?? TIMEOUT_SECONDS_DEFAULT) * 1000,
    timing: { pauseBetweenMs: (file.pause_between_iterations ?? PAUSE_SECONDS_DEFAULT) * 1000 },
    continuation: '{{GOAL}}',
  };
}

function isOver(status: WiggumStatus | undefined): boolean {
  return status === 'completed' || status === 'max_iterations_reached' || status === 'stopped';
}

function watchCheck({ watch_file: watched, done_folder: folder }: WiggumFile): readonly CheckSpec[] {
  if (watched === null || watched === undefined || watched === '') return [];
  const probe = {
    kind: 'file-moved',
    path: watched,
    folder: folder === '' ? besides(watched) : (folder ?? besides(watched)),
  } as const;
  return [{ name: WATCH_CHECK, probe, timeoutMs: DEFAULT_CHECK_TIMEOUT_MS, holdout: false }];
}

/** `Done` beside the folder that the watched file waits in: `Needs_Action/a.md` goes to `Done/a.md`. */
function besides(watched: string): string {
  return [...watched.split(/[\\/]/u).slice(0, -2), 'Done'].join('/');
}

function project(text: string | null, loop: Loop): string | null {
  if (text === null) return null;
  const file = wiggumFile(text);
  // What is broken, or was ended by hand, is the user's to keep.
  if (file === undefined || isOver(file.status)) return text;
  const { state } = loop;
  const status = isUntouched(loop) ? file.status : statusOf(loop, file.status);
  const counter = counterOf(loop, file);
  const isPaused = state.status === 'paused';
  return setValues(text, [
    ...(counter === (file.current_iteration ?? 0) ? [] : [{ path: ['current_iteration'], value: counter }]),
    ...(status === file.status ? [] : [{ path: ['status'], value: status }]),
    ...(isUntouched(loop) || isPaused === (file.paused_for_approval ?? false)
      ? []
      : [{ path: ['paused_for_approval'], value: isPaused }]),
    ...iterationsAfter(loop, file),
    ...errorsAfter(loop, file),
  ]);
}

function withSession(text: string, session: string): string {
  return setValues(text, [{ path: ['session_id'], value: session }]);
}

/** Taken over, and nothing has happened since: it stays as it was found. */
function isUntouched({ state }: Loop): boolean {
  return (
    state.status === 'running' &&
    state.lastTurn === null &&
    state.lastMessage === '' &&
    state.faults === 0 &&
    state.approvals.length === 0
  );
}

/** It counts how often the loop went on, so the stop that ends it at the maximum does not raise it. Never lower than the file says. */
function counterOf({ spec, state }: Loop, file: WiggumFile): number {
  const counter = counterFor(state.counted, COUNTING);
  const maximum = file.max_iterations ?? MAX_ITERATIONS_DEFAULT;
  const shown = isEnded(state) && spec.dialect !== undefined ? Math.min(counter, maximum) : counter;
  return Math.max(shown, file.current_iteration ?? 0);
}

function statusOf({ state }: Loop, was: WiggumStatus | undefined): WiggumStatus | undefined {
  switch (state.status) {
    case 'pending':
      return was;
    case 'running':
      return 'running';
    case 'paused':
      return 'paused_awaiting_approval';
    case 'completed':
      return 'completed';
    case 'halted':
      return state.outcome?.kind === 'halted' && state.outcome.guard === 'iterations-max'
        ? 'max_iterations_reached'
        : 'stopped';
    case 'cancelled':
      return 'stopped';
  }
}
