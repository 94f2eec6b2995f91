import * as z from 'zod/mini';
import { readJson } from '../json-file.ts';

/** What the document's stop hook receives, with the message that newer hosts add. */
export type StopPayload = {
  readonly session_id: string;
  readonly cwd: string;
  readonly transcript_path?: string | undefined;
  readonly stop_hook_active?: boolean | undefined;
  readonly last_assistant_message?: string | undefined;
};

const payloadSchema = z.object({
  session_id: z.string().check(z.minLength(1)),
  cwd: z.string().check(z.minLength(1)),
  transcript_path: z.optional(z.string()),
  stop_hook_active: z.optional(z.boolean()),
  last_assistant_message: z.optional(z.string()),
});

/** Text or parsed; `undefined` = the session or the folder of the stop is missing. Never throws. */
export function readStopPayload(input: unknown): StopPayload | undefined {
  const parsed = payloadSchema.safeParse(typeof input === 'string' ? readJson(input) : input);
  return parsed.success ? parsed.data : undefined;
}
