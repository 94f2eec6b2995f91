import * as z from 'zod/mini';
import { readJson } from '../json-file.ts';
import type { LoopError, LoopShape } from './state.ts';
import { errorSchema } from './state.ts';

export type TaskStatus = 'pending' | 'in_progress' | 'completed';

export type TaskMetadata = {
  readonly iteration: number;
  /** Left out while nobody knows it: unknown is not 0. */
  readonly cost?: number;
  readonly shape?: LoopShape;
  readonly budget?: number;
  readonly maxIterations?: number;
  readonly startedAt?: string;
  readonly lastCheckpoint?: string;
  readonly completedSteps: readonly string[];
  readonly remainingSteps: readonly string[];
  readonly errors: readonly LoopError[];
};

/** A task, of ours or of Claude Code: whatever of its file can be used. Those of Claude Code have no such metadata. */
export type Task = {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly metadata?: TaskMetadata;
};

/* oxlint-disable promise/valid-params -- `z.catch` is the one of zod: a value where there is no good one. */
const optionalNumber = z.catch(z.optional(z.number()), undefined);
const optionalText = z.catch(z.optional(z.string()), undefined);
const texts = z.catch(z.array(z.string()), []);

const metadataSchema = z.object({
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

/** `undefined` = it is no task. `name`: its id, when it does not say one itself. Never throws. */
export function readTask(text: string, name: string): Task | undefined {
  const parsed = taskSchema.safeParse(readJson(text));
  if (!parsed.success) return undefined;
  const { id = name, metadata, ...rest } = parsed.data;
  return { id, ...rest, ...(metadata === undefined ? {} : { metadata: present(metadata) }) };
}

/** Keys without a value are not there: JSON knows no `undefined`. */
function present(metadata: z.infer<typeof metadataSchema>): TaskMetadata {
  const { cost, shape, budget, maxIterations, startedAt, lastCheckpoint, ...steps } = metadata;
  return { ...steps, ...known({ cost, shape, budget, maxIterations, startedAt, lastCheckpoint }) };
}

type Known = Pick<TaskMetadata, 'cost' | 'shape' | 'budget' | 'maxIterations' | 'startedAt' | 'lastCheckpoint'>;

/** What a loop may not know about itself, as far as it does. */
export function known(of: { readonly [K in keyof Known]: Known[K] | undefined }): Known {
  const { cost, shape, budget, maxIterations, startedAt, lastCheckpoint } = of;
  return {
    ...(cost === undefined ? {} : { cost }),
    ...(shape === undefined ? {} : { shape }),
    ...(budget === undefined ? {} : { budget }),
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(lastCheckpoint === undefined ? {} : { lastCheckpoint }),
  };
}
