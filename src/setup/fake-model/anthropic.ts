import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf, isFields, listIn, textIn } from './fields.ts';
import { sentEvent, type ModelReply, type ReplyPart, type ShownMessage, type WireCodec } from './script.ts';

/** `POST /v1/messages` */
export const anthropic: WireCodec = {
  read: (body) => ({
    model: textIn(body, 'model'),
    stream: body['stream'] === true,
    messages: [
      ...blockTexts(body['system']).map((text): ShownMessage => ({ role: 'system', text })),
      ...listIn(body, 'messages').flatMap(readMessage),
    ],
    tools: listIn(body, 'tools').flatMap((tool) => {
      const name = textIn(fieldsOf(tool), 'name');
      return name === '' ? [] : [{ name, schema: fieldsOf(fieldsOf(tool)['input_schema']) }];
    }),
    session: null,
  }),
  whole: (reply) => ({
    ...head(reply),
    content: reply.parts.map(blockOf),
    stop_reason: stopReason(reply),
    usage: usageOf(reply),
  }),
  stream: (reply) => {
    const usage = usageOf(reply);
    const start = { ...head(reply), content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
    return [
      event('message_start', { message: start }),
      ...reply.parts.flatMap(blockEvents),
      event('message_delta', { delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage }),
      event('message_stop', {}),
    ].join('');
  },
  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
};

function readMessage(message: unknown): ShownMessage[] {
  const fields = fieldsOf(message);
  const role = textIn(fields, 'role');
  const content = fields['content'];
  const results = (Array.isArray(content) ? content : []).filter((block) => fieldsOf(block)['type'] === 'tool_result');
  const texts = blockTexts(content);
  return [
    ...results.map((block): ShownMessage => ({
      role: 'tool',
      text: blockTexts(fieldsOf(block)['content']).join('\n'),
    })),
    ...(texts.length === 0 && results.length > 0 ? [] : [{ role: roleOf(role), text: texts.join('\n') }]),
  ];
}

function blockTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  const blocks = Array.isArray(content) ? content.filter(isFields) : [];
  return blocks.flatMap((block) => (block['type'] === 'text' ? [textIn(block, 'text')] : []));
}

function roleOf(role: string): ShownMessage['role'] {
  return role === 'assistant' || role === 'system' ? role : 'user';
}

function head(reply: ModelReply): Fields {
  return { id: `msg_${reply.id}`, type: 'message', role: 'assistant', model: reply.model, stop_sequence: null };
}

function usageOf({ usage }: ModelReply): Fields {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
  };
}

function stopReason(reply: ModelReply): string {
  return reply.parts.some((part) => part.kind === 'call') ? 'tool_use' : 'end_turn';
}

function blockOf(part: ReplyPart): Fields {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'thought') return { type: 'thinking', thinking: part.text, signature: SIGNATURE };
  return { type: 'tool_use', id: `toolu_${part.id}`, name: part.name, input: part.args };
}

/** Clients send it back without checking it. */
const SIGNATURE = 'c2lnbmVk';

function blockEvents(part: ReplyPart, index: number): string[] {
  const { empty, deltas } = growing(part);
  return [
    event('content_block_start', { index, content_block: { ...blockOf(part), ...empty } }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

/** How a block begins, and the pieces that follow. */
function growing(part: ReplyPart): { readonly empty: Fields; readonly deltas: readonly Fields[] } {
  switch (part.kind) {
    case 'text':
      return { empty: { text: '' }, deltas: [{ type: 'text_delta', text: part.text }] };
    case 'thought':
      return {
        empty: { thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: part.text },
          { type: 'signature_delta', signature: SIGNATURE },
        ],
      };
    case 'call':
      return { empty: { input: {} }, deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(part.args) }] };
  }
}

function event(type: string, fields: Fields): string {
  return sentEvent({ type, ...fields }, type);
}

function errorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  if (status === 529) return 'overloaded_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}
