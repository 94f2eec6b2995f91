import { afterEach, describe, expect, it } from 'vitest';
import { startFakeModel, type FakeModel } from '../../../src/setup/fake-model/server.ts';
import { inTurn, type Script } from '../../../src/setup/fake-model/script.ts';

type Json = Record<string, unknown>;

let model: FakeModel | undefined;
afterEach(async () => model?.close());

async function start(script: Script): Promise<FakeModel> {
  model = await startFakeModel(script);
  return model;
}

async function post(path: string, body: Json, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${model?.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
}

async function events(response: Response): Promise<Json[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

const file = { path: "/tmp/it's.txt", content: 'hello' };
const writing = inTurn({ write: file, usage: { input: 1000, cached: 200 } }, { text: 'done' });
const schema = (...names: string[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

describe('fake model, anthropic wire', () => {
  const ask = {
    model: 'claude-x',
    stream: true,
    system: [{ type: 'text', text: 'You are an agent.' }],
    tools: [{ name: 'Write', input_schema: schema('file_path', 'content') }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'make it' }] }],
  };

  it('streams a tool call with usage, then text', async () => {
    const { requests } = await start(writing);
    const first = await events(await post('/v1/messages?beta=true', ask, { 'x-claude-code-session-id': 's1' }));
    expect(first.map((event) => event['type'])).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(first[1]).toMatchObject({ content_block: { type: 'tool_use', name: 'Write' } });
    const input = JSON.stringify({ file_path: file.path, content: file.content });
    expect(first[2]).toMatchObject({ delta: { type: 'input_json_delta', partial_json: input } });
    expect(first[4]).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 800, cache_read_input_tokens: 200 },
    });
    const messages = [
      ...ask.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Write', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'written' }] },
      { role: 'system', content: 'Stop hook feedback: go on' },
    ];
    const second = await events(await post('/v1/messages', { ...ask, messages }, { 'x-claude-code-session-id': 's1' }));
    expect(second[2]).toMatchObject({ delta: { type: 'text_delta', text: 'done' } });
    expect(requests.map((request) => [request.session, request.turn])).toEqual([
      ['s1', 1],
      ['s1', 2],
    ]);
    expect(requests[1]).toMatchObject({ lastUserText: 'make it', news: 'written\nStop hook feedback: go on' });
  });

  it('answers whole when no stream is asked for', async () => {
    await start(() => [{ text: 'a' }, { tool: 'Task', args: { n: 1 } }]);
    const whole = (await (await post('/v1/messages', { ...ask, stream: false })).json()) as Json;
    expect(whole).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_use', name: 'Task', input: { n: 1 } },
      ],
    });
  });

  it('fails with the status and the words it was told to', async () => {
    await start(() => ({ status: 529, message: 'busy' }));
    const response = await post('/v1/messages', ask);
    expect(response.status).toBe(529);
    expect(await response.json()).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } });
  });

  it('counts a subagent apart', async () => {
    const { requests } = await start(() => ({ text: 'x' }));
    await post('/v1/messages', ask, { 'x-claude-code-session-id': 's' });
    await post('/v1/messages', ask, { 'x-claude-code-session-id': 's', 'x-claude-code-agent-id': 'a' });
    expect(requests.map((request) => [request.agent, request.turn])).toEqual([
      [null, 1],
      ['a', 1],
    ]);
  });
});

describe('fake model, openai chat wire', () => {
  const tools = [
    { type: 'function', function: { name: 'create', parameters: schema('path', 'file_text') } },
    { type: 'function', function: { name: 'bash', parameters: schema('command', 'description') } },
  ];
  const ask = { model: 'm', messages: [{ role: 'user', content: 'make it' }], tools };

  it('streams the call of whichever tool writes', async () => {
    await start(writing);
    const chunks = await events(await post('/v1/chat/completions', { ...ask, stream: true }));
    expect(chunks[1]).toMatchObject({
      choices: [
        {
          delta: {
            tool_calls: [
              {
                index: 0,
                function: { name: 'create', arguments: JSON.stringify({ path: file.path, file_text: 'hello' }) },
              },
            ],
          },
        },
      ],
    });
    expect(chunks[2]).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
    expect(chunks[3]).toMatchObject({ usage: { prompt_tokens: 1000, prompt_tokens_details: { cached_tokens: 200 } } });
  });

  it('answers whole, with the fields the schema of a tool demands', async () => {
    await start(() => ({ shell: 'ls' }));
    const whole = (await (await post('/v1/chat/completions', ask)).json()) as Json;
    const args = JSON.stringify({ description: 'made by the fake model', command: 'ls' });
    expect(whole).toMatchObject({
      choices: [
        { finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'bash', arguments: args } }] } },
      ],
    });
  });

  it('keeps two lanes apart', async () => {
    const { requests } = await start((request) => ({ text: request.lane }));
    await post('/lane/one/v1/chat/completions', ask);
    await post('/lane/two/v1/chat/completions', ask);
    await post('/lane/one/v1/chat/completions', ask);
    expect(requests.map((request) => [request.lane, request.turn])).toEqual([
      ['one', 1],
      ['two', 1],
      ['one', 2],
    ]);
  });

  it('says loudly that a client has no tool for a step', async () => {
    const { troubles } = await start(() => ({ shell: 'ls' }));
    const response = await post('/v1/chat/completions', { ...ask, tools: tools.slice(0, 1) });
    expect(response.status).toBe(500);
    expect(troubles.join()).toContain('declares no tool for shell: create');
  });
});

describe('fake model, openai responses wire', () => {
  const ask = {
    model: 'm',
    stream: true,
    prompt_cache_key: 'thread-1',
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'make it' }] },
    ],
    tools: [
      { type: 'function', name: 'exec_command', parameters: schema('cmd') },
      { type: 'web_search' },
      { type: 'namespace', name: 'many' },
    ],
  };

  it('writes by the shell when there is no tool to write with, and content is never a shell word', async () => {
    const { requests } = await start(writing);
    const stream = await events(await post('/v1/responses', ask));
    expect(stream.map((event) => event['type'])).toEqual([
      'response.created',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.output_item.done',
      'response.completed',
    ]);
    const item = stream[3]?.['item'] as Json;
    expect(item).toMatchObject({ type: 'function_call', name: 'exec_command' });
    expect(JSON.parse(String(item['arguments']))).toEqual({
      cmd: `mkdir -p "$(dirname '/tmp/it'\\''s.txt')" && printf %s aGVsbG8= | base64 -d > '/tmp/it'\\''s.txt'`,
    });
    expect(stream[4]).toMatchObject({ response: { usage: { input_tokens: 1000, total_tokens: 1020 } } });
    expect(requests[0]).toMatchObject({ session: 'thread-1', tools: ['exec_command'], lastUserText: 'make it' });
  });

  it('reads tool results and hook prompts as news', async () => {
    const { requests } = await start(() => ({ text: 'ok' }));
    const more = [
      { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'wrote' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<hook_prompt>go on</hook_prompt>' }] },
    ];
    await post('/v1/responses', { ...ask, input: [...ask.input, ...more] });
    expect(requests[0]?.news).toBe('wrote\n<hook_prompt>go on</hook_prompt>');
  });
});

describe('fake model, gemini wire', () => {
  const path = '/v1beta/models/gemini-2.5-pro';
  const ask = {
    systemInstruction: { parts: [{ text: 'rules' }] },
    contents: [{ role: 'user', parts: [{ text: 'make it' }] }],
    tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: schema('file_path', 'content') }] }],
  };

  it('streams a function call with usage', async () => {
    const { requests } = await start(writing);
    const [event] = await events(await post(`${path}:streamGenerateContent?alt=sse`, ask));
    const functionCall = { name: 'write_file', args: { file_path: file.path, content: file.content } };
    expect(event).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ functionCall }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1000, cachedContentTokenCount: 200 },
    });
    const contents = [
      ...ask.contents,
      { role: 'model', parts: [{ functionCall }] },
      { role: 'user', parts: [{ functionResponse: { name: 'write_file', response: { output: 'ok' } } }] },
    ];
    const whole = (await (await post(`${path}:generateContent`, { ...ask, contents })).json()) as Json;
    expect(whole).toMatchObject({ candidates: [{ content: { parts: [{ text: 'done' }] } }] });
    expect(requests[1]).toMatchObject({
      model: 'gemini-2.5-pro',
      turn: 2,
      lastUserText: 'make it',
      news: '{"output":"ok"}',
    });
  });

  it('counts tokens', async () => {
    await start(writing);
    expect(await (await post(`${path}:countTokens`, ask)).json()).toEqual({ totalTokens: 100 });
  });
});

describe('fake model', () => {
  it('thinks in the way of each wire, apart from what it says', async () => {
    await start(() => [{ thought: 'hm' }, { text: 'well' }]);
    const tools = [{ name: 'a', input_schema: schema('x'), type: 'function', function: { name: 'a' } }];
    const answers = ['/v1/messages', '/v1/responses', '/v1/chat/completions', '/v1beta/models/m:generateContent'].map(
      async (path) => {
        const declared = path.startsWith('/v1beta') ? [{ functionDeclarations: [{ name: 'a' }] }] : tools;
        return (await (await post(path, { model: 'm', tools: declared, messages: [], contents: [] })).json()) as Json;
      },
    );
    const [anthropic, responses, chat, gemini] = await Promise.all(answers);
    expect(anthropic?.['content']).toMatchObject([{ type: 'thinking', thinking: 'hm' }, { text: 'well' }]);
    expect(responses?.['output']).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      { type: 'message' },
    ]);
    expect(chat?.['choices']).toMatchObject([{ message: { content: 'well', reasoning_content: 'hm' } }]);
    expect(gemini?.['candidates']).toMatchObject([
      { content: { parts: [{ text: 'hm', thought: true }, { text: 'well' }] } },
    ]);
  });

  it('gives a request without tools a canned answer and keeps the script for the others', async () => {
    const { requests, sideCalls } = await start(inTurn({ text: 'first' }));
    const title = { model: 'm', messages: [{ role: 'user', content: 'a title, please' }] };
    const whole = (await (await post('/v1/chat/completions', title)).json()) as { choices: { message: Json }[] };
    expect(JSON.parse(String(whole.choices[0]?.message['content']))).toHaveProperty('title');
    expect(requests).toEqual([]);
    expect(sideCalls).toMatchObject([{ lastUserText: 'a title, please', turn: 0 }]);
  });

  it('is alive, lists its model, and remembers what nobody knows', async () => {
    const { url, unknownCalls } = await start(inTurn({ text: '' }));
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: 'fake-model' }] });
    expect((await fetch(`${url}/telemetry`)).status).toBe(404);
    expect(unknownCalls).toEqual(['GET /telemetry']);
  });

  it('hangs until it is closed', async () => {
    const started = await start(() => ({ hang: true }));
    const tools = [{ name: 'Bash', input_schema: {} }];
    const hanging = post('/v1/messages', { messages: [], tools }).then(
      () => 'answered',
      () => 'cut off',
    );
    await expect.poll(() => started.requests.length).toBe(1);
    await started.close();
    expect(await hanging).toBe('cut off');
  });

  it('keeps no key', async () => {
    const { sideCalls } = await start(inTurn({ text: '' }));
    await post(
      '/v1/messages',
      { messages: [] },
      { authorization: 'Bearer secret', 'x-api-key': 'secret', 'x-other': 'kept' },
    );
    expect(JSON.stringify(sideCalls)).not.toContain('secret');
    expect(sideCalls[0]?.headers['x-other']).toBe('kept');
  });
});
