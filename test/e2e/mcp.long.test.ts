import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { commitAll, git, put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PROJECT = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.test.sh': '[ "$(sh src/add.sh 1 2)" = 3 ] || { echo "1 + 2 is not 3"; exit 1; }\n',
};
const SESSION = 'a-session';

async function aSession(flags: readonly string[] = []): Promise<{ readonly user: User; readonly loop: string }> {
  const user = aUser(PROJECT);
  git(user.project, 'init', '-q');
  commitAll(user.project);
  const checks = ['--check', 'unit:: sh test/add.test.sh', '--holdout', 'grep -q the-secret src/add.sh'];
  const start = [
    'start',
    'Make 1 + 2 be 3',
    '--session',
    SESSION,
    ...checks,
    '--criterion',
    'the sum is right',
    '--json',
  ];
  const { code, stdout, stderr } = await user.tireless([...start, ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return { user, loop: (JSON.parse(stdout) as { loop: { id: string } }).loop.id };
}

/** The official client on the built program. */
async function aClient(
  user: User,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'a-test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { ...user.env, ...env },
    cwd: user.project,
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

type Answer = { readonly text: string; readonly isError: boolean };

async function call(client: Client, name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as readonly { readonly text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
}

describe('tireless mcp', () => {
  it('shows the agent its loop, takes its notes, and verifies its work', async () => {
    const { user, loop } = await aSession();
    const client = await aClient(user, ['--loop', loop]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'goal',
      'open',
      'limits',
      'note_progress',
      'say_blocked',
      'ask_approval',
      'verify',
    ]);
    expect((await call(client, 'goal')).text).toContain('Make 1 + 2 be 3');
    expect((await call(client, 'limits')).text).toContain('Iteration 1 of 20; 19 more after this one.');
    expect((await call(client, 'open')).text).toContain('- the sum is right');

    const red = await call(client, 'verify');
    expect(red.text).toContain('Not done: 1 of 1 checks do not pass in the work tree.');
    expect(red.text).toContain('1 + 2 is not 3');
    put(user.project, { 'test/add.test.sh': 'exit 0\n' });
    const cheated = await call(client, 'verify');
    expect(cheated.text).toContain('not proven in the clean room');
    expect(cheated.text).toContain('test/add.test.sh modified');
    put(user.project, { ...PROJECT, 'src/add.sh': 'echo $(($1 + $2))\n' });
    expect((await call(client, 'verify')).text).toContain('All checks pass, also in the clean room.');

    await call(client, 'note_progress', { text: 'minus was\nplus', criterion: 'the sum is right' });
    const tracker = readFileSync(path.join(user.project, `.tireless/tracker-${loop}.md`), 'utf8');
    expect(tracker).toContain('- [x] the sum is right');
    expect(tracker).toMatch(/## Notes\n\n- minus was plus\n/);
    expect((await call(client, 'open')).text).toContain('All criteria are ticked.');
  });

  it('changes nothing of the loop, and never speaks of hold-outs', async () => {
    const { user, loop } = await aSession();
    const client = await aClient(user, [], { CLAUDE_CODE_SESSION_ID: SESSION });
    const before = await user.tireless(['explain', loop, '--json']);
    const blocked = await call(client, 'say_blocked', { need: 'a key </blocked> for the API' });
    expect(blocked.text).toContain('\n<blocked>a key for the API</blocked>\n');
    const asked = await call(client, 'ask_approval', { what: 'delete the old data' });
    expect(asked.text).toContain('<blocked>Approval needed: delete the old data</blocked>');
    const said = [blocked, asked];
    for (const name of ['goal', 'open', 'limits', 'verify']) said.push(await call(client, name));
    expect(JSON.stringify([said, (await client.listTools()).tools])).not.toMatch(/secret|holdout|hold-out/);
    expect(await user.tireless(['explain', loop, '--json'])).toEqual(before);
  });

  it('answers wrong input and a missing loop with an error that helps', async () => {
    const { user, loop } = await aSession();
    const own = await aClient(user, [], { TIRELESS_LOOP: loop });
    expect((await call(own, 'goal')).text).toContain(loop);
    const client = await aClient(user, []);
    expect(await call(client, 'goal')).toMatchObject({
      isError: true,
      text: expect.stringContaining('/ralph') as unknown,
    });
    const cleared = await aClient(user, [], { CLAUDE_CODE_SESSION_ID: 'before-clear' });
    expect((await call(cleared, 'goal')).text).toContain('/mcp reconnect tireless');
    expect((await call(client, 'note_progress', {})).isError).toBe(true);
    expect((await call(client, 'approve')).text).toContain('There is no tool "approve"');
    expect((await user.tireless(['mcp', '--loop', 'no-such-loop'])).code).toBe(1);
  });
});

type Message = {
  readonly id: unknown;
  readonly error?: { readonly code: number };
  readonly result?: { readonly isError?: boolean };
};

/** A client that writes bytes of its own. */
function aRawClient(user: User, args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, 'mcp', ...args], { cwd: user.project, env: user.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const answers = (): readonly Message[] =>
    said.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Message);
  const ask = async (bytes: string | Uint8Array): Promise<Message | undefined> => {
    const before = answers().length;
    child.stdin.write(bytes);
    await vi.waitUntil(() => answers().length > before, 20_000);
    return answers().at(-1);
  };
  return { child, said, answers, ask };
}

const request = (id: unknown, method: string, params: unknown = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('tireless mcp, given bytes that no client of the SDK would send,', () => {
  it('answers each line it cannot use with an error, and keeps serving', async () => {
    const { user, loop } = await aSession();
    const { ask, child, said } = aRawClient(user, ['--loop', loop]);
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const wrong: readonly (readonly [bytes: string | Uint8Array, id: unknown, code: number])[] = [
      ['this is not JSON\n', null, -32700],
      ['{"jsonrpc":"2.0","id":1,\n', null, -32700],
      [Uint8Array.of(0xff, 0xfe, 0x00, 0x0a), null, -32700],
      ['{}\n', null, -32600],
      ['null\n', null, -32600],
      ['"ping"\n', null, -32600],
      ['{"id":"own","method":"ping"}\n', 'own', -32600],
      [`[${request(1, 'ping').trim()},${request(2, 'ping').trim()}]\n`, null, -32600],
      [`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":"${'x'.repeat(3_000_000)}"}}\n`, null, -32600],
      [request(4, 'no/such/method'), 4, -32601],
      [request(5, 'tools/call', { name: 7 }), 5, -32602],
      [request(6, 'tools/call', { name: 'goal', arguments: 'text' }), 6, -32602],
    ];
    for (const [bytes, id, code] of wrong) {
      const answer = await ask(bytes);
      expect([String(bytes).slice(0, 60), answer?.id, answer?.error?.code]).toEqual([
        String(bytes).slice(0, 60),
        id,
        code,
      ]);
      expect(await ask(request('alive', 'ping'))).toEqual({ jsonrpc: '2.0', id: 'alive', result: {} });
    }
    expect(await ask(request(7, 'initialize', info))).toMatchObject({ id: 7, result: expect.anything() as unknown });
    const noted = request(8, 'tools/call', { name: 'note_progress', arguments: { text: 5 } });
    expect(await ask(noted)).toMatchObject({ id: 8, result: { isError: true } });
    // In pieces, with empty lines and CRLF.
    child.stdin.write('\n\r\n{"jsonrpc":"2.0","id":9,');
    expect(await ask('"method":"ping"}\r\n')).toMatchObject({ id: 9 });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(said.stderr).toBe('');
  });

  it('exits when its client leaves in the middle of a call, and ends the check', async () => {
    const { user, loop } = await aSession(['--check', 'slow:: test ! -f armed || { touch began; sleep 300; }']);
    put(user.project, { armed: '' });
    const { child } = aRawClient(user, ['--loop', loop]);
    child.stdin.write(request(1, 'tools/call', { name: 'verify', arguments: {} }));
    await vi.waitUntil(() => existsSync(path.join(user.project, 'began')), 20_000);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
