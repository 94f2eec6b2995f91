import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf, isFields, listIn, textIn } from './fields.ts';
import { sentEvent, type ModelReply, type ReplyPart, type ShownMessage, type WireCodec } from './script.ts';

/** `POST /v1/chat/completions` */
export const openaiChat: WireCodec = {
  read: (body) => ({
    model: textIn(body, 'model'),
    stream: body['stream'] === true,
    messages: listIn(body, 'messages').map(readMessage),
    tools: listIn(body, 'tools').flatMap((tool) => {
      const declared = fieldsOf(fieldsOf(tool)['function']);
      const name = textIn(declared, 'name');
      return name === '' ? [] : [{ name, schema: fieldsOf(declared['parameters']) }];
    }),
    session: textIn(body, 'prompt_cache_key') || null,
  }),
  whole: (reply) => ({
    ...head(reply, 'chat.completion'),
    choices: [{ index: 0, message: messageOf(reply), finish_reason: finishReason(reply) }],
    usage: usageOf(reply),
  }),
  stream: (reply) => {
    const chunk = (delta: Fields, finish: string | null): string =>
      sentEvent({
        ...head(reply, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return [
      chunk({ role: 'assistant', content: '' }, null),
      ...reply.parts.map((part, index) => chunk(deltaOf(part, callIndex(reply, index)), null)),
      chunk({}, finishReason(reply)),
      sentEvent({ ...head(reply, 'chat.completion.chunk'), choices: [], usage: usageOf(reply) }),
      sentEvent('[DONE]'),
    ].join('');
  },
  error: openaiError,
};

export function openaiError(status: number, message: string): Fields {
  const type = status === 429 ? 'rate_limit_exceeded' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, code: null, param: null } };
}

/** Text in any of the shapes both OpenAI wires use. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isFields) : [];
  return parts.map((part) => textIn(part, 'text')).join('\n');
}

export function openaiRole(role: string): ShownMessage['role'] {
  if (role === 'assistant' || role === 'user' || role === 'tool') return role;
  return 'system';
}

function readMessage(message: unknown): ShownMessage {
  const fields = fieldsOf(message);
  return { role: openaiRole(textIn(fields, 'role')), text: contentText(fields['content']) };
}

function head(reply: ModelReply, object: string): Fields {
  return { id: `chatcmpl-${reply.id}`, object, created: 1_700_000_000, model: reply.model };
}

function usageOf({ usage }: ModelReply): Fields {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

function finishReason(reply: ModelReply): string {
  return reply.parts.some((part) => part.kind === 'call') ? 'tool_calls' : 'stop';
}

function messageOf(reply: ModelReply): Fields {
  const text = (kind: ReplyPart['kind']): string =>
    reply.parts.flatMap((part) => (part.kind === kind && part.kind !== 'call' ? [part.text] : [])).join('');
  const calls = reply.parts.flatMap((part) => (part.kind === 'call' ? [callOf(part)] : []));
  return {
    role: 'assistant',
    content: text('text'),
    ...(text('thought') === '' ? {} : { reasoning_content: text('thought') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function deltaOf(part: ReplyPart, index: number): Fields {
  if (part.kind === 'text') return { content: part.text };
  if (part.kind === 'thought') return { reasoning_content: part.text };
  return { tool_calls: [{ index, ...callOf(part) }] };
}

function callIndex(reply: ModelReply, index: number): number {
  return reply.parts.slice(0, index).filter((part) => part.kind === 'call').length;
}

function callOf(part: ReplyPart & { readonly kind: 'call' }): Fields {
  return {
    id: `call_${part.id}`,
    type: 'function',
    function: { name: part.name, arguments: JSON.stringify(part.args) },
  };
}
