import * as z from 'zod/mini';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import { readJson, withoutAbsent } from '../json-file.ts';

/** The `loop` section of a workflow, as its author writes it. The document's type: programs assign to its fields. */
export type LoopConfig = {
  enabled: boolean;
  /** Searched for in the body of the tracker. */
  completionMarker: string;
  maxIterations: number;
  /** Sent verbatim when a stop is blocked. */
  continueMessage?: string;
  /** Markdown for the body of a new tracker. */
  trackerTemplate?: string;
};

/** From before the marker was renamed. */
export type OldLoopConfig = Omit<LoopConfig, 'completionMarker'> & { completionPromise: string };

export type Workflow = {
  name: string;
  plugins: string[];
  promptTemplate: string;
  loop?: LoopConfig;
};

/** `notices` are for the author: accepted, but better written differently. */
export type WorkflowReading =
  | { readonly kind: 'workflow'; readonly workflow: Workflow; readonly notices: readonly string[] }
  | { readonly kind: 'invalid'; readonly why: string };

export type ConfigReading =
  | { readonly kind: 'config'; readonly config: LoopConfig; readonly notices: readonly string[] }
  | { readonly kind: 'invalid'; readonly why: string };

export const ITERATIONS_MAX = 1_000_000;
const INPUT = '{input}';
const OLD_PLUGIN = /^ralph-loop(?:@|$)/u;

const text = z.string().check(z.regex(/\S/u));
const configSchema = z.object({
  enabled: z.boolean(),
  completionMarker: z.optional(text),
  completionPromise: z.optional(text),
  maxIterations: z.optional(z.int().check(z.minimum(0), z.maximum(ITERATIONS_MAX))),
  continueMessage: z.optional(z.string()),
  trackerTemplate: z.optional(z.string()),
});
const workflowSchema = z.object({
  name: text,
  plugins: z._default(z.array(z.string()), []),
  promptTemplate: z._default(z.string(), INPUT),
  loop: z.optional(z.unknown()),
});
/** Used by editors; it has no other meaning. */
const SCHEMA_KEY = '$schema';

/** A `workflow.json`. Never throws. */
export function readWorkflow(json: string): WorkflowReading {
  // Untyped code passes the workflow itself.
  if (typeof json !== 'string')
    return invalid('readWorkflow takes the text of workflow.json, not an object: pass JSON.stringify(workflow)');
  const value = readJson(json);
  if (value === undefined) return invalid('workflow.json is not JSON');
  const parsed = workflowSchema.safeParse(value);
  if (!parsed.success) return invalid(`workflow.json has no usable ${namesOf(parsed.error, value)}`);
  const { loop, plugins, ...rest } = parsed.data;
  const config = loop === undefined ? undefined : readLoopConfig(loop);
  if (config?.kind === 'invalid') return config;
  const kept = plugins.filter((plugin) => !OLD_PLUGIN.test(plugin));
  const notices = [
    ...unusedKeys('workflow.json', value, workflowSchema),
    ...(config?.notices ?? []),
    ...(kept.length === plugins.length
      ? []
      : ['The plugin ralph-loop is no longer needed and is left out: loops are decided here.']),
  ];
  const workflow = { ...rest, plugins: kept, ...(config === undefined ? {} : { loop: config.config }) };
  return { kind: 'workflow', workflow, notices };
}

export function readLoopConfig(value: unknown): ConfigReading {
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) return invalid(`the loop of the workflow has no usable ${namesOf(parsed.error, value)}`);
  const { completionMarker, completionPromise, maxIterations, ...rest } = parsed.data;
  const marker = completionMarker ?? completionPromise;
  if (marker === undefined) return invalid('the loop of the workflow has no completionMarker');
  const fallback = Number(DEFAULT_LIMITS.iterationsMax);
  const notices = [
    ...unusedKeys('The loop of the workflow', value, configSchema),
    ...(completionPromise === undefined ? [] : ['completionPromise is now called completionMarker. Please rename it.']),
    ...(maxIterations === undefined ? [`The loop has no maxIterations; ${fallback} is used.`] : []),
  ];
  const config = { ...withoutAbsent(rest), completionMarker: marker, maxIterations: maxIterations ?? fallback };
  return { kind: 'config', config, notices };
}

/** The first prompt of a workflow: every `{input}` is replaced by the user's text verbatim. */
export function promptFor(workflow: Workflow, input: string): string {
  return workflow.promptTemplate.replaceAll(INPUT, () => input);
}

/** A misspelled key has no effect, so its author is warned. */
function unusedKeys(what: string, value: unknown, { shape }: { readonly shape: object }): readonly string[] {
  const keys = Object.keys(Object(value)).filter((key) => key !== SCHEMA_KEY && !Object.hasOwn(shape, key));
  return keys.length === 0 ? [] : [`${what} has keys that are not used: ${keys.join(', ')}.`];
}

const VALUE_CHARS_MAX = 60;

/** The fields with a wrong value, each with that value. */
function namesOf(
  error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] },
  value: unknown,
): string {
  const names = [...new Set(error.issues.map((issue) => String(issue.path[0] ?? 'object')))];
  const given = new Map(Object.entries(Object(value)));
  const shown = names.map((name) =>
    given.has(name) ? `${name} (it is ${(JSON.stringify(given.get(name)) ?? '').slice(0, VALUE_CHARS_MAX)})` : name,
  );
  return shown.join(', ');
}

function invalid(why: string): { readonly kind: 'invalid'; readonly why: string } {
  return { kind: 'invalid', why };
}
