import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { newId } from '../../system/ids.ts';
import { anthropic } from './anthropic.ts';
import { fieldsOf, parseFields } from './fields.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { routeOf, type Route } from './routes.ts';
import {
  lastUserText,
  newMessagesIn,
  usageOf,
  type Answer,
  type ModelRequest,
  type ReplyPart,
  type Script,
  type Step,
  type ToolDeclaration,
  type Wire,
  type WireCodec,
  type WireRequest,
} from './script.ts';
import { shellCall, writeCall } from './tool-call.ts';

/**
 * A model that follows a script, for real clients: four wires on one port of the loopback. Nothing leaves the machine and nothing is kept
 * on disk. Memory is bounded by the requests of one run.
 */
export type FakeModel = {
  /** Without a path: clients expect `/v1` or nothing after it. */
  readonly url: string;
  readonly port: number;
  /** Requests that declared tools, in order: those that the script answered. */
  readonly requests: readonly ModelRequest[];
  /** Titles, routers, classifiers: requests without tools. They get a canned answer and do not advance the script. */
  readonly sideCalls: readonly ModelRequest[];
  /** `METHOD address` of requests that no wire knows; answered with 404. */
  readonly unknownCalls: readonly string[];
  /** Errors in the script, or missing tools; the client got HTTP 500. */
  readonly troubles: readonly string[];
  /** Ends every open connection, including hanging ones. */
  readonly close: () => Promise<void>;
};

const HOST = '127.0.0.1';
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Valid JSON: some clients request it in a side call, the others accept any text. */
const SIDE_ANSWER = '{"title":"A fake title","reasoning":"fake","model_choice":"pro","next_speaker":"user","ok":true}';
const CODECS: Readonly<Record<Wire, WireCodec>> = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
};
const SESSION_HEADERS = ['x-claude-code-session-id', 'session_id', 'session-id', 'x-session-affinity'];
const SECRET_HEADERS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']);

type Room = {
  readonly script: Script;
  readonly requests: ModelRequest[];
  readonly sideCalls: ModelRequest[];
  readonly unknownCalls: string[];
  readonly troubles: string[];
  readonly turns: Map<string, number>;
};

/** `port` 0 = any free port. Rejects if the port is in use. */
export async function startFakeModel(script: Script, port = 0): Promise<FakeModel> {
  const room: Room = { script, requests: [], sideCalls: [], unknownCalls: [], troubles: [], turns: new Map() };
  const server = createServer((request, response) => {
    serve(room, request, response).catch((error: unknown) => {
      room.troubles.push(String(error));
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(error) } });
      else response.destroy();
    });
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const bound = portOf(server);
  const { requests, sideCalls, unknownCalls, troubles } = room;
  const url = `http://${HOST}:${bound}`;
  return { url, port: bound, requests, sideCalls, unknownCalls, troubles, close: async () => closeServer(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake model listens on no port.');
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(room: Room, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? '';
  const address = request.url ?? '';
  const text = await bodyOf(request);
  if (text === undefined) return sendJson(response, 413, { error: { message: 'The request is too long.' } });
  const route = routeOf(method, address);
  switch (route.kind) {
    case 'alive':
      response.writeHead(200).end();
      return;
    case 'models':
      return sendJson(response, 200, { object: 'list', data: [{ id: 'fake-model', object: 'model', created: 0 }] });
    case 'count-tokens':
      return sendJson(response, 200, route.wire === 'gemini' ? { totalTokens: 100 } : { input_tokens: 100 });
    case 'unknown':
      room.unknownCalls.push(`${method} ${address}`);
      return sendJson(response, 404, { error: { message: 'The fake model does not know this address.' } });
    case 'ask':
      return answer(room, route, CODECS[route.wire].read(parseFields(text)), { request, response });
  }
}

async function answer(
  room: Room,
  route: Route & { readonly kind: 'ask' },
  asked: WireRequest,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const codec = CODECS[route.wire];
  const shown = describe(room, route, asked, request);
  const isSide = asked.tools.length === 0;
  (isSide ? room.sideCalls : room.requests).push(shown);
  const steps = isSide ? [{ text: SIDE_ANSWER }] : stepsOf(await room.script(shown));
  for (const step of steps) {
    if ('hang' in step) return;
    if ('status' in step) {
      const failed = codec.error(step.status, step.message ?? 'The fake model was told to fail.');
      const error = { ...fieldsOf(failed['error']), ...step.fields };
      return sendJson(response, step.status, { ...failed, error }, step.headers);
    }
  }
  const id = newId();
  const parts = steps.map((step, index) => partOf(step, asked.tools, `${id}${index}`));
  const reply = { id, model: shown.model, parts, usage: usageOf(steps) };
  if (!route.streams && !asked.stream) return sendJson(response, 200, codec.whole(reply));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.end(codec.stream(reply));
}

function describe(
  room: Room,
  route: Route & { readonly kind: 'ask' },
  asked: WireRequest,
  request: IncomingMessage,
): ModelRequest {
  const headers = plainHeaders(request);
  const fromHeader = SESSION_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  const session = fromHeader ?? asked.session;
  const agent = headers['x-claude-code-agent-id'] ?? null;
  const counter = JSON.stringify([route.lane, session, agent]);
  const turn = (room.turns.get(counter) ?? 0) + (asked.tools.length === 0 ? 0 : 1);
  room.turns.set(counter, turn);
  return {
    wire: route.wire,
    lane: route.lane,
    session,
    agent,
    model: asked.model || route.model,
    turn,
    messages: asked.messages,
    lastUserText: lastUserText(asked.messages),
    news: newMessagesIn(asked.messages),
    tools: asked.tools.map((tool) => tool.name),
    headers,
  };
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)] as const],
  );
  return Object.fromEntries(entries);
}

function stepsOf(given: Answer): readonly Step[] {
  return isList(given) ? given : [given];
}

function isList(given: Answer): given is readonly Step[] {
  return Array.isArray(given);
}

function partOf(step: Step, tools: readonly ToolDeclaration[], id: string): ReplyPart {
  if ('text' in step) return { kind: 'text', text: step.text };
  if ('thought' in step) return { kind: 'thought', text: step.thought };
  if ('tool' in step) return { kind: 'call', id, name: step.tool, args: step.args };
  const call =
    'write' in step ? writeCall(tools, step.write) : 'shell' in step ? shellCall(tools, step.shell) : undefined;
  if (call === undefined) {
    const names = tools.map((tool) => tool.name).join(', ');
    throw new Error(`The client declares no tool for ${Object.keys(step).join(', ')}: ${names}`);
  }
  return { kind: 'call', id, ...call };
}

/** `undefined` = too long; the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
