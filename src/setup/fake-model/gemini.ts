import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf, isFields, listIn, textIn } from './fields.ts';
import { sentEvent, type ModelReply, type ReplyPart, type ShownMessage, type WireCodec } from './script.ts';

/** `POST /v1beta/models/MODEL:generateContent`, `:streamGenerateContent`. The address determines whether it streams. */
export const gemini: WireCodec = {
  read: (body) => ({
    model: '',
    stream: false,
    messages: [
      ...readContent({ ...fieldsOf(body['systemInstruction']), role: 'system' }),
      ...listIn(body, 'contents').flatMap(readContent),
    ],
    tools: listIn(body, 'tools').flatMap((tool) =>
      listIn(fieldsOf(tool), 'functionDeclarations').flatMap((declaration) => {
        const fields = fieldsOf(declaration);
        const name = textIn(fields, 'name');
        const schema = fieldsOf(fields['parametersJsonSchema'] ?? fields['parameters']);
        return name === '' ? [] : [{ name, schema }];
      }),
    ),
    session: null,
  }),
  whole: (reply) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: reply.parts.map(partOf) }, finishReason: 'STOP' }],
    usageMetadata: usageOf(reply),
    modelVersion: reply.model,
    responseId: reply.id,
  }),
  stream: (reply) => sentEvent(gemini.whole(reply)),
  error: (status, message) => ({ error: { code: status, message, status: errorStatus(status) } }),
};

function readContent(content: unknown): ShownMessage[] {
  const fields = fieldsOf(content);
  const parts = listIn(fields, 'parts').filter(isFields);
  const results = parts.filter((part) => isFields(part['functionResponse']));
  const texts = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
  const isSpeech = texts.length > 0 || (results.length === 0 && parts.length > 0);
  return [
    ...results.map((part): ShownMessage => ({
      role: 'tool',
      text: JSON.stringify(fieldsOf(part['functionResponse'])['response']) ?? '',
    })),
    ...(isSpeech ? [{ role: roleOf(textIn(fields, 'role')), text: texts.join('\n') }] : []),
  ];
}

function roleOf(role: string): ShownMessage['role'] {
  if (role === 'model') return 'assistant';
  return role === 'system' ? 'system' : 'user';
}

function partOf(part: ReplyPart): Fields {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind === 'thought') return { text: part.text, thought: true };
  return { functionCall: { id: `call_${part.id}`, name: part.name, args: part.args } };
}

function usageOf({ usage }: ModelReply): Fields {
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
    cachedContentTokenCount: usage.cached,
  };
}

function errorStatus(status: number): string {
  if (status === 429) return 'RESOURCE_EXHAUSTED';
  if (status === 401) return 'UNAUTHENTICATED';
  return status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT';
}
