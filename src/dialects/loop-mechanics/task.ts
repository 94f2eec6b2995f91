import * as z from 'zod/mini';
import { readJson, withoutAbsent } from '../json-file.ts';
import type { LoopError, LoopFigures } from './state.ts';
import { errorSchema } from './state.ts';

export type TaskStatus = 'pending' | 'in_progress' | 'completed';

export type TaskMetadata = {
  /** The loop it belongs to, once that has begun. */
  readonly loop?: string;
  readonly iteration: number;
  readonly completedSteps: readonly string[];
  readonly remainingSteps: readonly string[];
  readonly errors: readonly LoopError[];
} & LoopFigures;

/** A task, ours or Claude Code's, with the usable parts of its file. Claude Code's tasks have no such metadata. */
export type Task = {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly metadata?: TaskMetadata;
};

/* oxlint-disable promise/valid-params -- `z.catch` is zod's: it supplies a fallback value. */
const optionalNumber = z.catch(z.optional(z.number()), undefined);
const optionalText = z.catch(z.optional(z.string()), undefined);
const texts = z.catch(z.array(z.string()), []);

const metadataSchema = z.object({
  loop: optionalText,
  iteration: z.catch(z.number(), 1),
  cost: optionalNumber,
  shape: z.catch(z.optional(z.enum(['tool', 'colleague'])), undefined),
  budget: optionalNumber,
  maxIterations: optionalNumber,
  startedAt: optionalText,
  lastCheckpoint: optionalText,
  completedSteps: texts,
  remainingSteps: texts,
  errors: z.catch(z.array(errorSchema), []),
});

const taskSchema = z.object({
  id: z.optional(z.union([z.string(), z.pipe(z.number(), z.transform(String))])),
  subject: z.string(),
  description: z.catch(z.string(), ''),
  status: z.catch(z.enum(['pending', 'in_progress', 'completed']), 'pending'),
  metadata: z.catch(z.optional(metadataSchema), undefined),
});

/** `undefined` = not a task. `name`: its id if the text contains none. Never throws. */
export function readTask(text: string, name: string): Task | undefined {
  const parsed = taskSchema.safeParse(readJson(text));
  if (!parsed.success) return undefined;
  const { id = name, metadata, ...rest } = parsed.data;
  return { id, ...rest, ...(metadata === undefined ? {} : { metadata: withoutAbsent(metadata) }) };
}
