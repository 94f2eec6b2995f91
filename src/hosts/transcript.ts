import type { RawLine, ReadLimits, TranscriptReader } from '../engine/ports.ts';
import type { Fields } from './fields.ts';
import { fieldsOf } from './fields.ts';

/** What one line of a transcript shows about the turn. `prompt`: a person spoke, and the turn begins here. */
export type LineFact =
  | { readonly kind: 'noise' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'tool-result' }
  /**
   * `text` is empty if the line contains only thoughts or a tool call. `whole`: no other line adds to it; an earlier line with the same id
   * is an older state of the same message.
   */
  | { readonly kind: 'said'; readonly id: string | null; readonly text: string; readonly whole?: true };

/** How a host records a session, one JSON object per line. Inside a JSON string the quotes of these marks would be escaped. */
export type TranscriptFormat = {
  /** A line without any of these is noise, and is not parsed: most of a transcript is tool results. */
  readonly speakers: readonly string[];
  /** A long line is parsed only if its beginning or its end contains one of these, which show that the agent speaks. */
  readonly speech: readonly string[];
  /** A long line with one of these is a tool result. */
  readonly results: readonly string[];
  readonly factOf: (record: Fields) => LineFact;
};

export const NOISE: LineFact = { kind: 'noise' };
const PARSED_BYTES_MAX = 128 * 1024;
const EDGE_BYTES = 2 * 1024;

/**
 * The agent's last message in this turn, read backwards, so that the cost does not grow with the session. `null` = none since the last
 * prompt, or the file cannot be read.
 */
export function lastMessageIn(
  transcript: string,
  format: TranscriptFormat,
  reader: TranscriptReader,
  limits: ReadLimits = {},
): string | null {
  return reader.readBackwards(transcript, (lines) => messageOf(lines, format, reader), limits);
}

/** If the transcript of a turn is longer, only its end is read. */
const TURN_BYTES_MAX = 64 * 1024 * 1024;

/**
 * All messages of the agent since the host gave it the text `reply`: anything before that was already judged. If there is no such line, or
 * `reply` is empty, everything since the last prompt of a person.
 */
export function turnTextIn(
  transcript: string,
  format: TranscriptFormat,
  reader: TranscriptReader,
  reply: string,
): string {
  const collect = (lines: Iterable<RawLine>): string[] => {
    const messages: string[] = [];
    let sincePrompt: number | undefined;
    for (const line of lines) {
      const fact = lineFact(line, format, reader);
      if (fact.kind === 'said' && fact.text !== '') messages.push(fact.text);
      if (fact.kind === 'noise' && reply !== '' && line.includes(reply)) return messages;
      if (fact.kind !== 'prompt') continue;
      sincePrompt ??= messages.length;
      if (reply === '') break;
    }
    return messages.slice(0, sincePrompt);
  };
  return (reader.readBackwards(transcript, collect, { scannedBytesMax: TURN_BYTES_MAX }) ?? [])
    .toReversed()
    .join('\n\n');
}

/** Did the agent answer the last prompt, even if only with a tool call or with nothing? `true` if unknown. */
export function isAnswered(transcript: string, format: TranscriptFormat, reader: TranscriptReader): boolean {
  const last = reader.readBackwards(transcript, (lines) => {
    for (const line of lines) {
      const { kind } = lineFact(line, format, reader);
      if (kind !== 'noise') return kind;
    }
    return null;
  });
  return last === null || last === 'said';
}

/** The text blocks of one message: hosts write one line per block, all with the same id, or one line for all. */
function messageOf(lines: Iterable<RawLine>, format: TranscriptFormat, reader: TranscriptReader): string | null {
  const parts: string[] = [];
  let id: string | null = null;
  for (const line of lines) {
    const fact = lineFact(line, format, reader);
    if (fact.kind === 'noise') continue;
    if (fact.kind === 'prompt') break;
    if (fact.kind === 'tool-result') {
      if (parts.length > 0) break;
      continue;
    }
    if (parts.length > 0 && (fact.id === null || fact.id !== id)) break;
    if (fact.text === '') continue;
    id = fact.id;
    parts.push(fact.text);
    if (fact.whole === true) break;
  }
  return parts.length === 0 ? null : parts.toReversed().join('\n');
}

/** A line that does not parse is half written or broken, and is skipped. */
function lineFact(line: RawLine, format: TranscriptFormat, { textOf }: TranscriptReader): LineFact {
  const { speakers, speech, results, factOf } = format;
  if (!speakers.some((mark) => line.includes(mark))) return NOISE;
  if (line.length > PARSED_BYTES_MAX && !isSpeechAtEdge(line, speech))
    return results.some((mark) => line.includes(mark)) ? { kind: 'tool-result' } : NOISE;
  const record = parseRecord(textOf(line));
  return record === undefined ? NOISE : factOf(record);
}

function isSpeechAtEdge(line: RawLine, speech: readonly string[]): boolean {
  return [line.slice(0, EDGE_BYTES), line.slice(-EDGE_BYTES)].some((edge) =>
    speech.some((mark) => edge.includes(mark)),
  );
}

/** `undefined` = not a JSON object: the writer is still writing it, or died. */
export function parseRecord(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined; // Half written, or the output of another tool.
  }
}

/** The text of a message of the agent, without thoughts and tool calls. */
export function factOfAgentLine({ id, content }: Fields): LineFact & { readonly kind: 'said' } {
  const text = blocksOf(content).flatMap(textIn).join('\n');
  return { kind: 'said', id: typeof id === 'string' ? id : null, text };
}

/** `isHosts`: the host itself wrote the line, for the agent or for the user, so it is not a prompt. */
export function factOfUserLine({ content }: Fields, isResult: (block: Fields) => boolean, isHosts: boolean): LineFact {
  if (blocksOf(content).some(isResult)) return { kind: 'tool-result' };
  return isHosts ? NOISE : { kind: 'prompt' };
}

export function isToolResult(block: Fields): boolean {
  return block['type'] === 'tool_result';
}

function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(fieldsOf).filter((block) => block !== undefined) : [];
}

function textIn({ type = 'text', text }: Fields): string[] {
  return type === 'text' && typeof text === 'string' && text !== '' ? [text] : [];
}
