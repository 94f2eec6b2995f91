import * as z from 'zod/mini';
import type { FileReading } from '../../core/foreign-file.ts';
import type { Loop } from '../../core/journal.ts';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import { literalTemplate } from '../../core/template.ts';
import type { Counting } from '../counting.ts';
import { countedFrom, counterFor, turnsAllowed } from '../counting.ts';
import type { Answer, Dialect, Words } from '../dialect.ts';
import { readFrontMatter, setFields } from '../front-matter.ts';

/** Athena's loop tracker: YAML that Athena writes above a Markdown body that the agent writes. */
export const DEFAULT_TRACKER_TEMPLATE = '# Loop Progress\n\n_In progress_';

/** Says where the marker is written down, not the marker itself: a copy of this text in the tracker must not end the loop. */
export const DEFAULT_CONTINUE_MESSAGE =
  'Continue working on the task. Read the loop tracker, take the next open item and update the tracker as you go. When everything is done, write the completion marker that its front matter names into its body.';

const FOLDER = '.athena/sessions';
const FILE = 'loop-tracker.md';
/** Blocks are counted, from 0, and compared before one is added. */
const COUNTING: Counting = { start: 0, addsFirst: false };
/** Far beyond any loop, and safe to count with. */
const COUNTER_MAX = 1_000_000_000;
const GOAL_LENGTH_MAX = 200;

/** What a tracker says, in the document's words. */
export type Tracker = {
  readonly active: boolean;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly completionMarker: string;
  /** Everything below the front matter. */
  readonly body: string;
};

/** What the workflow says, for keys that a tracker does not have. */
export type TrackerDefaults = {
  readonly maxIterations?: number;
  readonly completionMarker?: string;
  readonly continueMessage?: string;
};

const counter = z.union([
  z.int().check(z.minimum(0), z.maximum(COUNTER_MAX)),
  z.pipe(z.string().check(z.regex(/^\d{1,9}$/u)), z.transform(Number)),
]);
/** People put quotes around things: `"3"` and `"true"` mean what they say. */
const fieldsSchema = z.object({
  iteration: z.optional(counter),
  max_iterations: z.optional(counter),
  completion_marker: z.optional(z.string().check(z.regex(/\S/u))),
  active: z.optional(
    z.union([
      z.boolean(),
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((word) => word === 'true'),
      ),
    ]),
  ),
});

export const athena: Dialect = athenaDialect();

export function athenaDialect(defaults: TrackerDefaults = {}): Dialect {
  return {
    name: 'athena',
    read: (text) => readingOf(readTracker(text, defaults), defaults),
    project,
    filesFor: ({ session, list }) => [
      ...new Set([session, ...list(FOLDER)].filter(isFolderName).map((id) => `${FOLDER}/${id}/${FILE}`)),
    ],
    wordsFor,
    replyForm: 'json',
  };
}

/** `why` = what is wrong with it, for the user. Never throws. */
export function readTracker(text: string, defaults: TrackerDefaults = {}): Tracker | { readonly why: string } {
  const matter = readFrontMatter(text);
  if (matter === undefined) return { why: 'the tracker has no readable YAML front matter' };
  const parsed = fieldsSchema.safeParse(matter.fields);
  if (!parsed.success) {
    const keys = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    return { why: `the front matter of the tracker has no usable value for ${keys.join(', ')}` };
  }
  const { iteration, max_iterations, completion_marker, active } = parsed.data;
  const completionMarker = completion_marker ?? defaults.completionMarker;
  if (completionMarker === undefined) return { why: 'the front matter of the tracker has no completion_marker' };
  return {
    active: active ?? false,
    iteration: iteration ?? 0,
    maxIterations: max_iterations ?? defaults.maxIterations ?? Number(DEFAULT_LIMITS.iterationsMax),
    completionMarker,
    body: matter.body,
  };
}

/** A new tracker: the document's five keys, then the body as it is given. */
export function renderTracker(tracker: Tracker, startedAt: string): string {
  return [
    '---',
    `iteration: ${tracker.iteration}`,
    `max_iterations: ${tracker.maxIterations}`,
    // JSON strings are YAML strings, whatever is in them.
    `completion_marker: ${JSON.stringify(tracker.completionMarker)}`,
    `active: ${tracker.active}`,
    `started_at: ${JSON.stringify(startedAt)}`,
    '---',
    tracker.body,
  ].join('\n');
}

/** The path of a session's tracker, relative to the project. `folder` is a safe path part. */
export function trackerFile(folder: string): string {
  return `${FOLDER}/${folder}/${FILE}`;
}

function readingOf(tracker: Tracker | { readonly why: string }, defaults: TrackerDefaults): FileReading {
  if ('why' in tracker) return { kind: 'invalid', why: tracker.why };
  return {
    kind: 'loop',
    active: tracker.active,
    session: null,
    goal: goalOf(tracker.body),
    claim: { texts: [tracker.completionMarker], form: 'text-anywhere', tag: '', fold: false },
    criteria: [],
    counted: countedFrom(tracker.iteration, COUNTING),
    iterationsMax: turnsAllowed(tracker.maxIterations, COUNTING),
    continuation: literalTemplate(defaults.continueMessage ?? DEFAULT_CONTINUE_MESSAGE),
    claimedIn: tracker.body,
  };
}

/** The tracker knows no goal; its heading is what people will recognize. */
function goalOf(body: string): string {
  const heading = /^#+[ \t]+(\S[^\r\n]*)/mu.exec(body)?.[1]?.trim();
  return heading === undefined || heading === '' ? 'Loop Progress' : heading.slice(0, GOAL_LENGTH_MAX);
}

/** A counter that someone raised by hand meanwhile is not lowered. */
function project(text: string | null, { spec, state }: Loop): string | null {
  if (text === null) return null;
  const tracker = readTracker(text, { completionMarker: '-' });
  // Broken by hand: then it is the user's text, and nothing of it is ours to change.
  if ('why' in tracker) return text;
  const live = state.status === 'pending' || state.status === 'running' || state.status === 'paused';
  // The document counts blocks: the stop that ended the loop was none.
  const unblocked = state.status === 'completed' || state.status === 'halted' || state.status === 'paused' ? 1 : 0;
  const iteration = Math.max(tracker.iteration, counterFor(state.counted - unblocked, COUNTING));
  const { iterationsMax } = state.limits;
  // Raised from outside (`tireless resume --max-iterations`): the file has to say so, or its next edit would take it back.
  const isRaised =
    iterationsMax !== 'unlimited' &&
    iterationsMax !== spec.limits.iterationsMax &&
    iterationsMax > turnsAllowed(tracker.maxIterations, COUNTING);
  return setFields(text, {
    ...(iteration === tracker.iteration ? {} : { iteration }),
    ...(isRaised ? { max_iterations: iterationsMax - 1 } : {}),
    ...(tracker.active === live ? {} : { active: live }),
  });
}

function wordsFor({ decision, loop, reading }: Answer): Words {
  switch (decision.kind) {
    case 'continue': {
      const text = loop === null ? DEFAULT_CONTINUE_MESSAGE : promptOf(loop.spec, loop.state);
      return { goesOn: true, text, reason: text };
    }
    case 'complete':
      return stops('completion marker found');
    case 'halt':
      return stops(decision.guard === 'iterations-max' ? 'max iterations reached' : `halted: ${decision.guard}`);
    case 'cancel':
      return stops(reading === null ? 'the tracker is gone' : 'the loop was cancelled');
    case 'pause':
      return stops(`paused: ${decision.cause}`);
    case 'abstain':
      return stops(
        reading?.kind === 'invalid' ? reading.why : reading === null ? 'the tracker is gone' : 'no active loop',
      );
    case 'record':
    case 'refuse':
      return stops('no active loop');
  }
}

function stops(reason: string): Words {
  return { goesOn: false, text: '', reason };
}

function isFolderName(id: string): boolean {
  return /^[\w.-]+$/u.test(id) && !/^\.+$/u.test(id);
}
