/** What one line of a transcript says about the turn. `prompt`: a person spoke, the turn begins here. */
export type LineFact =
  | { readonly kind: 'noise' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'tool-result' }
  /** `text` is empty when the line holds thoughts or a tool call only. */
  | { readonly kind: 'said'; readonly id: string | null; readonly text: string };

const NOISE: LineFact = { kind: 'noise' };
/** Above this a line is parsed only if its beginning or its end says that the agent speaks. */
const PARSED_BYTES_MAX = 128 * 1024;
const EDGE_BYTES = 2 * 1024;

/** A line that does not parse is half written or broken, and skipped. */
export function lineFact(line: Buffer): LineFact {
  // By bytes first: tool results of megabytes are not parsed. Inside a JSON string these quotes would be escaped.
  if (!line.includes('"assistant"') && !line.includes('"user"')) return NOISE;
  if (line.length > PARSED_BYTES_MAX && !isSpeechAtEdge(line))
    return line.includes('"tool_result"') ? { kind: 'tool-result' } : NOISE;
  const record = recordOf(parse(line.toString('utf8')));
  if (record === undefined || record['isSidechain'] === true) return NOISE;
  const message = recordOf(record['message']);
  const speaker = record['type'] ?? message?.['role'];
  const blocks = blocksOf(message?.['content']);
  if (speaker === 'assistant') {
    const id = message?.['id'];
    return { kind: 'said', id: typeof id === 'string' ? id : null, text: blocks.flatMap(textOf).join('\n') };
  }
  if (speaker !== 'user') return NOISE;
  if (blocks.some((block) => block['type'] === 'tool_result')) return { kind: 'tool-result' };
  // What the host itself says to the agent in between is no new prompt.
  return record['isMeta'] === true ? NOISE : { kind: 'prompt' };
}

function isSpeechAtEdge(line: Buffer): boolean {
  return [line.subarray(0, EDGE_BYTES), line.subarray(-EDGE_BYTES)].some(
    (edge) => edge.includes('"type":"assistant"') || edge.includes('"type": "assistant"'),
  );
}

function blocksOf(content: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(recordOf).filter((block) => block !== undefined) : [];
}

function textOf(block: Readonly<Record<string, unknown>>): string[] {
  const { type, text } = block;
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
