import { utf8Line } from '../system/text-of.ts';
import type { RawLine } from './transcript-tail.ts';
import { readBackwards } from './transcript-tail.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Codex says these words to the agent whenever its own goal sends it on, and `user_goal` when the user set, paused or cleared it. */
const CONTINUED = '<codex_internal_context source="goal">';
const SET_BY_USER = '<codex_internal_context source="user_goal">';

/**
 * Does the host's own goal (`/goal` of Claude Code, Codex and Qwen Code) drive this session? The last word about it in the transcript counts: whoever sets, pauses,
 * clears or completes one leaves a line. `false` too when there is no transcript to read.
 */
export function hasNativeGoal(transcript: string): boolean {
  return readBackwards(transcript, lastWord) === 'active';
}

function lastWord(lines: Iterable<RawLine>): string | null {
  for (const line of lines) {
    // As it stands first: most of a transcript is tool results.
    if (!line.includes('goal')) continue;
    const record = fieldsOf(parsed(utf8Line(line)));
    const word = wordOfClaude(record ?? {}) ?? wordOfQwen(record ?? {}) ?? wordIn(fieldsOf(record?.['payload']) ?? {});
    if (word !== null) return word;
  }
  return null;
}

function wordIn(payload: Fields): string | null {
  switch (payload['type']) {
    case 'thread_goal_updated':
      return statusIn(payload);
    // What the agent's own goal tools answered.
    case 'function_call_output':
      return typeof payload['output'] === 'string' ? statusIn(fieldsOf(parsed(payload['output'])) ?? {}) : null;
    case 'message':
      return payload['role'] === 'user' ? wordInText(payload['content']) : null;
    default:
      return null;
  }
}

/** Claude Code writes this when its goal is set, judged, met or cleared; a goal that was cleared counts as met. */
function wordOfClaude({ type, attachment }: Fields): string | null {
  const status = type === 'attachment' ? fieldsOf(attachment) : undefined;
  if (status?.['type'] !== 'goal_status') return null;
  return status['met'] === false ? 'active' : 'cleared';
}

/** Qwen Code writes the whole state of its goal whenever that changes. */
function wordOfQwen({ subtype, systemPayload }: Fields): string | null {
  if (subtype !== 'goal_state') return null;
  return statusIn(fieldsOf(fieldsOf(systemPayload)?.['snapshot']) ?? {}) ?? 'cleared';
}

function wordInText(content: unknown): string | null {
  const text = Array.isArray(content) ? fieldsOf(content[0])?.['text'] : undefined;
  if (typeof text !== 'string') return null;
  if (text.startsWith(CONTINUED)) return 'active';
  if (!text.startsWith(SET_BY_USER)) return null;
  return /goal status: "(\w+)"/u.exec(text)?.[1] ?? 'cleared';
}

function statusIn(fields: Fields): string | null {
  const status = fieldsOf(fields['goal'])?.['status'];
  return typeof status === 'string' ? status : null;
}

function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Half written, or the output of another tool.
  }
}
