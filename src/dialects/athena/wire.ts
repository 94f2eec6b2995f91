import * as z from 'zod/mini';
import { readJson, withoutAbsent } from '../json-file.ts';

/** One line in each direction between the forwarder in the host's hook and the program that decides. */
const eventSchema = z.object({
  id: z.string(),
  hookName: z.string(),
  toolName: z.optional(z.string()),
  sessionId: z.optional(z.string()),
  payload: z.optional(z.unknown()),
});
const resultSchema = z.union([
  z.object({ action: z.literal('passthrough') }),
  z.object({ action: z.literal('json_output'), stdout_json: z.record(z.string(), z.unknown()) }),
  z.object({ action: z.literal('block_with_stderr'), stderr: z.string() }),
]);
/** The few fields of a host's hook payload that are needed to route it. */
const payloadSchema = z.object({
  hook_event_name: z.string(),
  session_id: z.optional(z.string()),
  tool_name: z.optional(z.string()),
});

export type WireEvent = {
  readonly id: string;
  readonly hookName: string;
  readonly toolName?: string;
  readonly sessionId?: string;
  readonly payload?: unknown;
};
export type WireResult =
  | { action: 'passthrough' }
  | { action: 'json_output'; stdout_json: Record<string, unknown> }
  | { action: 'block_with_stderr'; stderr: string };

/** `undefined` = not an event. */
export function readWireEvent(line: string): WireEvent | undefined {
  const { data } = eventSchema.safeParse(readJson(line));
  return data === undefined ? undefined : withoutAbsent(data);
}

/** `undefined` = not a result. */
export function readWireResult(line: string): WireResult | undefined {
  return resultSchema.safeParse(readJson(line)).data;
}

/** The payload of a host's hook, as an event; `undefined` = it names none. */
export function eventOfPayload(id: string, stdin: string): WireEvent | undefined {
  const payload = readJson(stdin);
  const { data } = payloadSchema.safeParse(payload);
  if (data === undefined) return undefined;
  return withoutAbsent({
    id,
    hookName: data.hook_event_name,
    toolName: data.tool_name,
    sessionId: data.session_id,
    payload,
  });
}
