/** Applies every damage to one recorded file of a dialect. A `Task` as JSON on stdin, a `DamageReport` on stdout. */
import { readFileSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';
import { DIALECT_NAMES } from '../../../src/dialects/names.ts';
import { loadDialect } from '../../../src/entries/dialects.ts';
import { damageReport } from '../dialect-harm.ts';

const sampleSchema = z.object({
  file: z.string(),
  text: z.string(),
  claimMessage: z.string(),
  keys: z.array(z.string()),
  session: z.optional(z.string()),
});
const taskSchema = z.object({
  dialect: z.enum(DIALECT_NAMES),
  sample: sampleSchema,
  begun: sampleSchema,
  stride: z.number(),
});

const task = taskSchema.parse(JSON.parse(readFileSync(0, 'utf8')));
const dialect = await loadDialect(task.dialect);
writeSync(1, JSON.stringify(damageReport(dialect, asSample(task.sample), asSample(task.begun), task.stride)));

/** The functions that change a file are code, and are not passed on; `begun` already has its room. */
function asSample({ session, ...rest }: z.infer<typeof sampleSchema>): Parameters<typeof damageReport>[1] {
  return {
    ...rest,
    raise: null,
    deactivate: null,
    another: (text) => text,
    ...(session === undefined ? {} : { session }),
  };
}
