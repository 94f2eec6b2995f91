import { utf8Line } from '../system/text-of.ts';
import type { RawLine } from './transcript-tail.ts';

/** What one line of a transcript says about the turn. `prompt`: a person spoke, the turn begins here. */
export type LineFact =
  | { readonly kind: 'noise' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'tool-result' }
  /**
   * `text` is empty when the line holds thoughts or a tool call only. `whole`: no other line adds to it; a line before it with the same
   * id is an older state of the same message.
   */
  | { readonly kind: 'said'; readonly id: string | null; readonly text: string; readonly whole?: true };

const NOISE: LineFact = { kind: 'noise' };
/** Above this a line is parsed only if its beginning or its end says that the agent speaks. */
const PARSED_BYTES_MAX = 128 * 1024;
const EDGE_BYTES = 2 * 1024;
const SPEAKERS = ['"assistant"', '"user"', '"gemini"', '"assistant.message"', '"user.message"'];
/** At the top of Claude Code's lines, in Droid's messages, at the top of Gemini's and Copilot's. */
const SPEECH = [
  '"type":"assistant"',
  '"type": "assistant"',
  '"role":"assistant"',
  '"type":"gemini"',
  '"type":"assistant.message"',
];
const RESULTS = ['"tool_result"', '"functionResponse"'];

/** A line that does not parse is half written or broken, and skipped. */
export function lineFact(line: RawLine): LineFact {
  // As it stands first: tool results of megabytes are not parsed. Inside a JSON string these quotes would be escaped.
  if (!SPEAKERS.some((speaker) => line.includes(speaker))) return NOISE;
  if (line.length > PARSED_BYTES_MAX && !isSpeechAtEdge(line))
    return RESULTS.some((result) => line.includes(result)) ? { kind: 'tool-result' } : NOISE;
  const record = recordOf(parse(utf8Line(line)));
  if (record === undefined || record['isSidechain'] === true) return NOISE;
  const data = recordOf(record['data']);
  if (data !== undefined) return copilotFact(record, data);
  // Gemini CLI writes the message itself; Claude Code and Droid write what surrounds it, Droid with one type for all.
  const message = recordOf(record['message']) ?? record;
  const speaker = record['type'] === 'message' ? message['role'] : (record['type'] ?? message['role']);
  const blocks = blocksOf(message['content']);
  if (speaker === 'assistant' || speaker === 'gemini') {
    const { id } = message;
    const text = blocks.flatMap(textOf).join('\n');
    const whole = speaker === 'gemini' ? ({ whole: true } as const) : {};
    return { kind: 'said', id: typeof id === 'string' ? id : null, text, ...whole };
  }
  if (speaker !== 'user') return NOISE;
  if (blocks.some(isResult)) return { kind: 'tool-result' };
  // What the host itself says to the agent or to the user in between (Droid: what hooks did) is no new prompt.
  return record['isMeta'] === true || typeof message['visibility'] === 'string' ? NOISE : { kind: 'prompt' };
}

/**
 * Copilot CLI writes one event to a line, with what it is about under `data`. An answer of the model may be several messages then. Events of
 * subagents name their agent.
 */
function copilotFact(
  record: Readonly<Record<string, unknown>>,
  { content, apiCallId }: Readonly<Record<string, unknown>>,
): LineFact {
  if (typeof record['agentId'] === 'string') return NOISE;
  if (record['type'] === 'user.message') return { kind: 'prompt' };
  if (record['type'] !== 'assistant.message' || typeof content !== 'string') return NOISE;
  return { kind: 'said', id: typeof apiCallId === 'string' ? apiCallId : null, text: content };
}

function isSpeechAtEdge(line: RawLine): boolean {
  return [line.slice(0, EDGE_BYTES), line.slice(-EDGE_BYTES)].some((edge) =>
    SPEECH.some((speech) => edge.includes(speech)),
  );
}

function isResult(block: Readonly<Record<string, unknown>>): boolean {
  return block['type'] === 'tool_result' || Object.hasOwn(block, 'functionResponse');
}

function blocksOf(content: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(recordOf).filter((block) => block !== undefined) : [];
}

function textOf(block: Readonly<Record<string, unknown>>): string[] {
  const { type = 'text', text } = block;
  return type === 'text' && typeof text === 'string' && text !== '' ? [text] : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The writer is in the middle of it, or died there.
  }
}
