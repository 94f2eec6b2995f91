import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { CallToolRequestSchema, ErrorCode, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** Far above any message of an agent: texts are limited to a few thousand characters. */
const LINE_BYTES_MAX = 1024 * 1024;
const LINE_FEED = 10;

/** The reply to a line that is not a valid message. The SDK has no type for one without an id; the protocol requires `null`. */
type Refusal = { readonly id: unknown; readonly code: ErrorCode; readonly message: string };

/**
 * One JSON-RPC message per line. The transport of the SDK ignores an unreadable line, so that its sender waits forever, and closes on one
 * that is too long; this one answers both with an error and continues.
 */
export function lineTransport(input: Readable, output: Writable): Transport {
  const write = (message: object): void => {
    if (output.writable) output.write(`${JSON.stringify(message)}\n`);
  };
  const take = (line: string | null): void => {
    const incoming = line === null ? tooLong() : parseMessage(line);
    if ('message' in incoming && 'code' in incoming) {
      const { id, code, message } = incoming;
      write({ jsonrpc: '2.0', id, error: { code, message } });
    } else transport.onmessage?.(incoming);
  };
  const read = lineReader(take);
  const failed = (error: Error): void => transport.onerror?.(error);
  const transport: Transport = {
    start: async () => {
      input.on('data', read);
      input.on('error', failed);
      output.on('error', failed);
    },
    send: async (message) => write(message),
    close: async () => {
      input.off('data', read);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}

/** Skips empty lines; `null` = a line that was too long. Keeps at most `LINE_BYTES_MAX` of an unfinished line. */
function lineReader(take: (line: string | null) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  const keep = (part: Buffer): void => {
    held += part.length;
    if (held > LINE_BYTES_MAX) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const end = (): void => {
    const line = held > LINE_BYTES_MAX ? null : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    held = 0;
    if (line !== '') take(line);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      keep(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    keep(chunk.subarray(from));
  };
}

function parseMessage(line: string): JSONRPCMessage | Refusal {
  const value = parsed(line);
  if (value === undefined)
    return {
      id: null,
      code: ErrorCode.ParseError,
      message: 'This line is not JSON. Every line is one JSON-RPC message.',
    };
  const message = JSONRPCMessageSchema.safeParse(value);
  if (message.success) return withArguments(message.data);
  if (Array.isArray(value)) return invalid(null, 'Batches are not supported: send one message per line.');
  return invalid(idOf(value), 'This is not a message of JSON-RPC 2.0.');
}

/** Wrong arguments are the sender's mistake, but the SDK reports them as an internal error. */
function withArguments(message: JSONRPCMessage): JSONRPCMessage | Refusal {
  const isCall = 'id' in message && 'method' in message && message.method === 'tools/call';
  if (!isCall || CallToolRequestSchema.safeParse(message).success) return message;
  return {
    id: message.id,
    code: ErrorCode.InvalidParams,
    message: 'A call has the name of a tool, and an object of arguments.',
  };
}

function tooLong(): Refusal {
  return invalid(null, `A message has at most ${LINE_BYTES_MAX} bytes.`);
}

function invalid(id: unknown, message: string): Refusal {
  return { id, code: ErrorCode.InvalidRequest, message };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function idOf(value: unknown): string | number | null {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
