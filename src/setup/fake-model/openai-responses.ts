import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf, isFields, listIn, textIn } from './fields.ts';
import { contentText, openaiError, openaiRole } from './openai-chat.ts';
import { sentEvent, type ModelReply, type ReplyPart, type ShownMessage, type WireCodec } from './script.ts';

/** `POST /v1/responses` */
export const openaiResponses: WireCodec = {
  read: (body) => ({
    model: textIn(body, 'model'),
    stream: body['stream'] === true,
    messages: [
      ...(textIn(body, 'instructions') === '' ? [] : [{ role: 'system' as const, text: textIn(body, 'instructions') }]),
      ...readInput(body['input']),
    ],
    tools: listIn(body, 'tools').flatMap((tool) => {
      const fields = fieldsOf(tool);
      // Namespaces and the provider's own tools have no schema and are not called.
      if (fields['type'] !== 'function' || textIn(fields, 'name') === '') return [];
      return [{ name: textIn(fields, 'name'), schema: fieldsOf(fields['parameters']) }];
    }),
    session: textIn(body, 'prompt_cache_key') || null,
  }),
  whole: (reply) => responseOf(reply, 'completed', reply.parts.map(itemOf)),
  stream: (reply) => {
    const items = reply.parts.flatMap((part, index) => itemEvents(part, index));
    return [
      event('response.created', { response: responseOf(reply, 'in_progress', []) }),
      ...items,
      event('response.completed', { response: responseOf(reply, 'completed', reply.parts.map(itemOf)) }),
    ].join('');
  },
  error: openaiError,
};

function readInput(input: unknown): ShownMessage[] {
  if (typeof input === 'string') return [{ role: 'user', text: input }];
  return (Array.isArray(input) ? input.filter(isFields) : []).flatMap(readItem);
}

function readItem(item: Fields): ShownMessage[] {
  const type = textIn(item, 'type');
  if (type.endsWith('_output')) return [{ role: 'tool', text: outputText(item['output']) }];
  if (type.endsWith('_call')) return [{ role: 'assistant', text: '' }];
  if (type !== 'message' && type !== '') return [];
  return [{ role: openaiRole(textIn(item, 'role')), text: contentText(item['content']) }];
}

function outputText(output: unknown): string {
  return isFields(output) ? textIn(output, 'content') : contentText(output);
}

function responseOf(reply: ModelReply, status: string, output: readonly Fields[]): Fields {
  const { usage } = reply;
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: reply.model,
    status,
    output,
    usage:
      status === 'completed'
        ? {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          }
        : null,
  };
}

function itemOf(part: ReplyPart, index: number): Fields {
  if (part.kind === 'call') {
    return {
      type: 'function_call',
      id: `fc_${part.id}`,
      call_id: `call_${part.id}`,
      name: part.name,
      arguments: JSON.stringify(part.args),
      status: 'completed',
    };
  }
  if (part.kind === 'thought') {
    return { type: 'reasoning', id: `rs_${index}`, summary: [{ type: 'summary_text', text: part.text }] };
  }
  const content = [{ type: 'output_text', text: part.text, annotations: [] }];
  return { type: 'message', id: `item_${index}`, role: 'assistant', status: 'completed', content };
}

function itemEvents(part: ReplyPart, index: number): string[] {
  const item = itemOf(part, index);
  const place = { item_id: item['id'], output_index: index };
  const [empty, delta] = growing(part, item);
  return [
    event('response.output_item.added', { output_index: index, item: { ...item, ...empty, status: 'in_progress' } }),
    event(delta.type, { ...place, ...delta }),
    event('response.output_item.done', { output_index: index, item }),
  ];
}

/** How an item begins, and the pieces that follow. */
function growing(part: ReplyPart, item: Fields): readonly [Fields, Fields & { readonly type: string }] {
  switch (part.kind) {
    case 'text':
      return [{ content: [] }, { type: 'response.output_text.delta', content_index: 0, delta: part.text }];
    case 'thought':
      return [{ summary: [] }, { type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: part.text }];
    case 'call':
      return [{ arguments: '' }, { type: 'response.function_call_arguments.delta', delta: item['arguments'] }];
  }
}

function event(type: string, fields: Fields): string {
  return sentEvent({ type, ...fields }, type);
}
