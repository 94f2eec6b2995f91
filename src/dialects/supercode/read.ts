import * as z from 'zod/mini';
import type { ClaimRule } from '../../core/claim.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import { jsonFault, readJson } from '../json-file.ts';
import { topicOf } from '../topic.ts';
import { descriptor } from './descriptor.ts';
import { CONTINUATION } from './words.ts';

export const DEFAULT_COMPLETION_PROMISE = 'DONE';

/** Unknown keys are allowed. Fields that the loop needs must be present; a missing `active` does not start a loop. */
const fieldsSchema = z.looseObject({
  active: z._default(z.boolean(), false),
  iteration: z._default(z.number(), descriptor.counting.start),
  maxIterations: z._default(z.number(), descriptor.maxIterationsDefault),
  completionPromise: z._default(z.string(), DEFAULT_COMPLETION_PROMISE),
  startedAt: z._default(z.string(), ''),
  prompt: z.string(),
  sessionId: z._default(z.string(), ''),
  lastIterationAt: z.optional(z.string()),
  description: z.optional(z.string()),
});

/** The user's own keys are preserved. */
export type SupercodeFields = {
  active: boolean;
  iteration: number;
  maxIterations: number;
  completionPromise: string;
  startedAt: string;
  prompt: string;
  sessionId: string;
  lastIterationAt?: string | undefined;
  description?: string | undefined;
};

/** The fields under the document's names, or why there are none. */
export function readSupercodeFields(text: string): { readonly fields: SupercodeFields } | { readonly why: string } {
  const value = readJson(text);
  if (value === undefined) return { why: jsonFault(text) };
  const parsed = fieldsSchema.safeParse(value);
  if (parsed.success) return { fields: parsed.data };
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') || 'its content';
  if (issue?.code !== 'invalid_type') return { why: `${field}: ${issue?.message ?? 'not what it should be'}` };
  return { why: `${field} is not ${issue.expected === 'object' ? 'an' : 'a'} ${issue.expected}` };
}

/** Anywhere in the message, case-insensitive, with white space around it allowed. */
export function supercodeClaim(text: string): ClaimRule {
  return { texts: [text], form: 'tag-anywhere', tag: 'promise', fold: true };
}

export function read(text: string): FileReading {
  const found = readSupercodeFields(text);
  if ('why' in found) return { kind: 'invalid', why: found.why };
  const { active, iteration, maxIterations, completionPromise, prompt, sessionId, startedAt } = found.fields;
  return {
    kind: 'loop',
    active,
    session: sessionId === '' ? null : sessionId,
    goal: prompt,
    claim: supercodeClaim(completionPromise),
    criteria: [],
    counted: countedFrom(iteration, descriptor.counting),
    iterationsMax: turnsAllowed(maxIterations, descriptor.counting),
    continuation: CONTINUATION,
    claimInTurn: true,
    identity: { topic: topicOf(prompt), ...(startedAt === '' ? {} : { startedAt }) },
  };
}
