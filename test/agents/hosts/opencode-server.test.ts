/** What a screen of OpenCode does, by the requests it sends to its server. */
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld, shownTo } from '../support/host-suite.ts';

const [{ absent, title } = { absent: 'unknown', title: 'opencode' }] = hostsToTry(['opencode']);
const SECONDS = 1000;
const ANSWER_MS_MAX = 2 * SECONDS;
const SLOW = { timeout: 60 * SECONDS };

describe.skipIf(absent !== null)(`a loop in the server of ${title}`, () => {
  it('pauses when the user stops the agent, and continues with what the user says', async () => {
    let isHanging = true;
    const world = await loopWorld('opencode', ({ turn }) =>
      turn === 1 ? { text: 'not yet' } : isHanging ? { hang: true } : { text: 'x\n<promise>DONE</promise>' },
    );
    const server = await serve(world);
    const session = await server.newSession();
    void server.post(`/session/${session}/command`, { command: 'ralph', arguments: '"paint the shed"' });
    await expect.poll(() => world.model.requests.length, SLOW).toBe(2);
    await server.post(`/session/${session}/abort`, {});
    await expect.poll(() => world.onlyLoop(), SLOW).toMatchObject({ status: 'paused', pause: { cause: 'aborted' } });
    isHanging = false;
    await server.post(`/session/${session}/message`, { parts: [{ type: 'text', text: 'go on' }] });
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2 });
  });

  it('says the goal to whoever summarizes, and takes the summary for no stop', async () => {
    // The plugin wakes the agent after each failure, so every turn fails until the summary is there.
    let isSummarized = false;
    const world = await loopWorld('opencode', () =>
      isSummarized ? { text: 'x\n<promise>DONE</promise>' } : { status: 400 },
    );
    const server = await serve(world);
    const session = await server.newSession();
    await server.post(`/session/${session}/command`, {
      command: 'ralph',
      arguments: '"paint the shed" --max-faults 100',
    });
    const { loop, counted } = world.onlyLoop();
    await server.post(`/session/${session}/summarize`, { providerID: 'fake', modelID: 'fake-model' });
    isSummarized = true;
    expect(world.onlyLoop()).toMatchObject({ loop, counted, status: 'running' });
    // Only what was said after the error knows of it.
    expect(JSON.stringify(world.model.sideCalls)).toContain('This iteration runs again');
    await server.post(`/session/${session}/message`, { parts: [{ type: 'text', text: 'go on' }] });
    await expect.poll(() => world.onlyLoop(), SLOW).toMatchObject({ loop, status: 'completed' });
  });

  it('continues after a turn without a word, and leaves nothing of its own behind', async () => {
    const world = await loopWorld('opencode', ({ turn }) => ({ text: turn === 1 ? '' : 'x\n<promise>DONE</promise>' }));
    const server = await serve(world);
    const session = await server.newSession();
    await server.post(`/session/${session}/command`, { command: 'ralph', arguments: '"paint the shed"' });
    await expect.poll(() => world.onlyLoop().status, SLOW).toBe('completed');
    const kinds = async (): Promise<readonly string[]> => {
      const messages = (await server.get(`/session/${session}/message`)) as { info: { role: string } }[];
      return messages.map(({ info }) => info.role);
    };
    await expect.poll(kinds, SLOW).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('begins a loop that was asked for while another command was still being answered', async () => {
    const world = await loopWorld('opencode', ({ turn }) => ({
      text: turn < 2 ? 'not yet' : 'x\n<promise>DONE</promise>',
    }));
    const server = await serve(world);
    const session = await server.newSession();
    void server.post(`/session/${session}/command`, { command: 'ralph-status', arguments: '' });
    const said = async (): Promise<string> => JSON.stringify(await server.get(`/session/${session}/message`));
    await expect.poll(said, { ...SLOW, interval: 20 }).toContain('no loop is open here');
    await server.post(`/session/${session}/command`, { command: 'ralph', arguments: '"paint the shed"' });
    await expect.poll(() => world.loops(), SLOW).toMatchObject([{ status: 'completed', counted: 2 }]);
  });

  it('does not take a text for a stop when the model ends it before the tool begins', async () => {
    const world = await loopWorld('opencode', ({ turn }) =>
      turn === 1
        ? [{ text: 'I make it.' }, { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }]
        : { text: 'It is made.' },
    );
    const server = await serve(world, '@ai-sdk/anthropic');
    const session = await server.newSession();
    const goal = '"make it" --check "test -f done.txt"';
    await server.post(`/session/${session}/command`, { command: 'ralph', arguments: goal });
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1 });
    expect(world.model.requests.map(({ wire }) => wire)).toEqual(['anthropic', 'anthropic']);
    expect(shownTo(world.model)).not.toContain('tireless looks at the work');
  });
});

type Served = {
  readonly newSession: () => Promise<string>;
  readonly get: (url: string) => Promise<unknown>;
  readonly post: (url: string, body: object) => Promise<unknown>;
};

async function serve(world: LoopWorld, npm = '@ai-sdk/openai-compatible'): Promise<Served> {
  const port = await freePort();
  const { environment } = world.launcher.headless(world.place, { prompt: '' });
  const config = environment['OPENCODE_CONFIG_CONTENT']?.replace('@ai-sdk/openai-compatible', npm) ?? '';
  world.launch({
    args: ['serve', '--port', String(port)],
    environment: { ...environment, OPENCODE_CONFIG_CONTENT: config },
  });
  const address = `http://127.0.0.1:${port}`;
  // A connection that is made too early is never answered.
  const get = async (url: string): Promise<unknown> =>
    (await fetch(`${address}${url}`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })).json();
  const isUp = async (): Promise<boolean> =>
    get('/global/health').then(
      () => true,
      () => false,
    );
  await expect.poll(isUp, SLOW).toBe(true);
  const post = async (url: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${address}${url}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json().catch(() => undefined);
  };
  return {
    get,
    post,
    newSession: async () => ((await post('/session', {})) as { id: string }).id,
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
