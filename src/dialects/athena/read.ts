import * as z from 'zod/mini';
import type { FileReading } from '../../core/foreign-file.ts';
import { literalTemplate } from '../../core/template.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import { readFrontMatter } from '../front-matter.ts';
import { topicOf } from '../topic.ts';
import { descriptor } from './descriptor.ts';
import { DEFAULT_CONTINUE_TEMPLATE } from './words.ts';

/** Far beyond any loop, and still a safe integer. */
const COUNTER_MAX = 1_000_000_000;
const GOAL_LENGTH_MAX = 200;

/** The contents of a tracker, in the document's terms. */
export type Tracker = {
  readonly active: boolean;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly completionMarker: string;
  /** Everything below the front matter. */
  readonly body: string;
};

/** The workflow's values, for keys that a tracker does not have. */
export type TrackerDefaults = {
  readonly maxIterations?: number;
  readonly completionMarker?: string;
  readonly continueMessage?: string;
};

const counter = z.union([
  z.int().check(z.minimum(0), z.maximum(COUNTER_MAX)),
  z.pipe(z.string().check(z.regex(/^\d{1,9}$/u)), z.transform(Number)),
]);
/** People put quotes around values, so `"3"` and `"true"` are accepted. */
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

/** `why`: what is wrong with it, for the user. Never throws. */
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
    maxIterations: max_iterations ?? defaults.maxIterations ?? descriptor.maxIterationsDefault,
    completionMarker,
    body: matter.body,
  };
}

export function readTrackerFile(text: string, defaults: TrackerDefaults): FileReading {
  const tracker = readTracker(text, defaults);
  if ('why' in tracker) return { kind: 'invalid', why: tracker.why };
  return {
    kind: 'loop',
    active: tracker.active,
    session: null,
    goal: goalOf(tracker.body),
    claim: { texts: [tracker.completionMarker], form: 'text-as-written', tag: '', fold: false },
    criteria: [],
    counted: countedFrom(tracker.iteration, descriptor.counting),
    iterationsMax: turnsAllowed(tracker.maxIterations, descriptor.counting),
    continuation:
      defaults.continueMessage === undefined ? DEFAULT_CONTINUE_TEMPLATE : literalTemplate(defaults.continueMessage),
    claimedIn: tracker.body,
    identity: { ...startIn(text), ...topicIn(tracker.body) },
  };
}

function startIn(text: string): { readonly startedAt?: string } {
  const startedAt = readFrontMatter(text)?.fields['started_at'];
  return typeof startedAt === 'string' ? { startedAt } : {};
}

function topicIn(body: string): { readonly topic?: string } {
  const heading = headingOf(body);
  return heading === '' ? {} : { topic: topicOf(heading) };
}

/** The tracker has no goal, so its heading is used, which people will recognise. */
function goalOf(body: string): string {
  const heading = headingOf(body);
  return heading === '' ? 'Loop Progress' : heading.slice(0, GOAL_LENGTH_MAX);
}

function headingOf(body: string): string {
  return /^#+[ \t]+(\S[^\r\n]*)/mu.exec(body)?.[1]?.trim() ?? '';
}
