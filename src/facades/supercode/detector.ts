import { findClaim } from '../../core/claim.ts';
import { fillTemplate } from '../../core/template.ts';
import { readJson } from '../../dialects/json-file.ts';
import { supercodeClaim } from '../../dialects/supercode/read.ts';
import { readTextIfExists } from '../../system/files.ts';
import { sha256 } from '../../system/ids.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';
import type { Message, RalphLoopState } from './ralph-loop.ts';

export function detectCompletionPromise(text: string, promise: string): boolean {
  return findClaim(supercodeClaim(promise), text, '').made !== null;
}

/** In what the agent said: in a transcript of JSON lines the others' words (the injected prompt names the promise) are left out. */
export function detectInTranscript(transcriptPath: string | undefined, promise: string): boolean {
  if (transcriptPath === undefined || transcriptPath === '') return false;
  try {
    const lines = (readTextIfExists(transcriptPath) ?? '').split('\n');
    return detectCompletionPromise(lines.map(agentText).join('\n'), promise);
  } catch (error) {
    Log.warn(`[${HOOK_NAME}] Failed to read transcript: ${String(error)}`);
    return false;
  }
}

/** Assistant messages only, from the most recent. */
export async function detectInMessages(messages: Message[], promise: string): Promise<boolean> {
  return assistantTexts(messages)
    .toReversed()
    .some((text) => detectCompletionPromise(text, promise));
}

/** Every placeholder, each as often as it stands there; the values come out as they went in. */
export function buildContinuationPrompt(template: string, state: RalphLoopState): string {
  return fillTemplate(template, {
    ITERATION: String(state.iteration),
    MAX: String(state.maxIterations),
    PROMISE: state.completionPromise,
    PROMPT: state.prompt,
  });
}

function assistantTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content] : [],
  );
}

/** Where a conversation stands. */
export type Heard = { readonly count: number; readonly hash: string };

export function heardIn(messages: readonly Message[]): Heard {
  return { count: messages.length, hash: sha256(JSON.stringify(messages.map(({ role, content }) => [role, content]))) };
}

/**
 * What the agent said in the iteration that began when the conversation stood at `from`. When that is not known (another process began
 * it), or the host has thrown messages away since: after the last message of the user, which is the prompt.
 */
export function saidSince(messages: readonly Message[], from: Heard | undefined): string[] {
  const isThere = from !== undefined && heardIn(messages.slice(0, from.count)).hash === from.hash;
  return assistantTexts(
    messages.slice(isThere ? from.count : messages.findLastIndex(({ role }) => role === 'user') + 1),
  );
}

function agentText(line: string): string {
  const value = readJson(line);
  if (typeof value !== 'object' || value === null) return line;
  const speaker = member(value, 'role') ?? member(member(value, 'message'), 'role') ?? member(value, 'type');
  return speaker === undefined || speaker === 'assistant' ? textIn(value) : '';
}

/** The words of a message, whatever it is wrapped in; what tools were given or gave back is not among them. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  return ['content', 'text', 'message']
    .map((key) => member(value, key))
    .map((inner) => (inner === undefined ? '' : textIn(inner)))
    .join('\n');
}

/** A property of something from outside, its own or inherited (errors have their names from their class); `undefined` when it has none. */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
