import * as z from 'zod/mini';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../../core/loop.ts';
import type { CheckSpec } from '../../core/loop.ts';
import type { FinishRule } from '../../core/finish-rule.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import { jsonFault, readJson, withoutAbsent } from '../json-file.ts';
import { topicOf } from '../topic.ts';
import { descriptor } from './descriptor.ts';

/** From the document's table of parameters. */
const TIMEOUT_SECONDS_DEFAULT = 3600;
const PAUSE_SECONDS_DEFAULT = 1;
/** A file may contain anything; more than a day is a mistake in either field. */
export const SECONDS_MAX: number = 24 * 60 * 60;

/** The name of the check for `watch_file`. */
export const WATCH_CHECK = 'watch_file';

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

const NOT_AN_OBJECT = 'it is not a JSON object (a state file has at least "prompt")';
/** All other fields are texts. */
const EXPECTED: Readonly<Record<string, string>> = {
  prompt: 'a string that is not empty',
  max_iterations: 'a whole number, 0 or more',
  current_iteration: 'a whole number, 0 or more',
  status: `one of ${STATUSES.join(', ')}`,
  paused_for_approval: 'true or false',
  timeout: `seconds, ${SECONDS_MAX} at most`,
  pause_between_iterations: `seconds, ${SECONDS_MAX} at most`,
};

/** Written out, not inferred: the package's type declarations are generated file by file. */
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

export type WiggumStatus =
  | 'pending'
  | 'running'
  | 'paused_awaiting_approval'
  | 'completed'
  | 'max_iterations_reached'
  | 'stopped';

/** The fields as written; `undefined` = not a state file. */
export function wiggumFile(text: string): WiggumFile | undefined {
  return StateFile.safeParse(readJson(text)).data;
}

export function read(text: string): FileReading {
  const value = readJson(text);
  if (value === undefined) return { kind: 'invalid', why: jsonFault(text) };
  const parsed = StateFile.safeParse(value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    return {
      kind: 'invalid',
      why: field === '' ? NOT_AN_OBJECT : `"${field}" must be ${EXPECTED[field] ?? 'a string'}`,
    };
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
    ...(file.status === 'completed' ? { isCompleted: true as const } : {}),
    session: file.session_id === '' ? null : (file.session_id ?? null),
    goal: file.prompt,
    claim: { texts: claim === '' ? [] : [claim], form: 'tag-anywhere', tag: 'promise', fold: false },
    // If nothing can complete it, only its limits end it, as in the document.
    finish: { kind: 'any', of: rules },
    checks: watched,
    criteria: [],
    counted: countedFrom(file.current_iteration ?? 0, descriptor.counting),
    iterationsMax: turnsAllowed(file.max_iterations ?? descriptor.maxIterationsDefault, descriptor.counting),
    durationMaxMs: (file.timeout ?? TIMEOUT_SECONDS_DEFAULT) * 1000,
    timing: { pauseBetweenMs: (file.pause_between_iterations ?? PAUSE_SECONDS_DEFAULT) * 1000 },
    continuation: '{{GOAL}}',
    identity: withoutAbsent({ id: file.loop_id, startedAt: file.started_at, topic: topicOf(file.prompt) }),
  };
}

export function isOver(status: WiggumStatus | undefined): boolean {
  return status === 'completed' || status === 'max_iterations_reached' || status === 'stopped';
}

function watchCheck({ watch_file: watched, done_folder: folder }: WiggumFile): readonly CheckSpec[] {
  if (watched === null || watched === undefined || watched === '') return [];
  const probe = {
    kind: 'file-moved',
    path: watched,
    folder: folder === '' ? doneFolderFor(watched) : (folder ?? doneFolderFor(watched)),
  } as const;
  return [{ name: WATCH_CHECK, probe, timeoutMs: DEFAULT_CHECK_TIMEOUT_MS, holdout: false }];
}

/** `Done` beside the folder that contains the watched file: `Needs_Action/a.md` goes to `Done/a.md`. */
function doneFolderFor(watched: string): string {
  return [...watched.split(/[\\/]/u).slice(0, -2), 'Done'].join('/');
}
