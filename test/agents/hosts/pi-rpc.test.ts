/** What a screen of pi does, by the lines that its RPC mode takes. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import { writeJson } from '../support/launch/settings.ts';

const [{ absent, title } = { absent: 'unknown', title: 'pi' }] = hostsToTry(['pi']);
const SECONDS = 1000;
const SLOW = { timeout: 60 * SECONDS };
const DONE = { text: 'x\n<promise>DONE</promise>' };

describe.skipIf(absent !== null)(`a loop on a screen of ${title}`, () => {
  it('knows the commands, pauses when the user stops the agent, and continues with what the user says', async () => {
    let isHanging = true;
    const world = await loopWorld('pi', ({ turn }) =>
      turn === 1 ? { text: 'not yet' } : isHanging ? { hang: true } : DONE,
    );
    const screen = open(world);
    screen.send({ type: 'get_commands' });
    await expect.poll(() => screen.text(), SLOW).toContain('"cancel-ralph"');
    screen.send({ type: 'prompt', message: '/ralph-status' });
    await expect.poll(() => screen.text(), SLOW).toContain('no loop is open here');
    screen.send({ type: 'prompt', message: '/ralph "paint the shed"' });
    await expect.poll(() => world.model.requests.length, SLOW).toBe(2);
    screen.send({ type: 'abort' });
    await expect.poll(() => world.onlyLoop(), SLOW).toMatchObject({ status: 'paused', pause: { cause: 'aborted' } });
    isHanging = false;
    screen.send({ type: 'prompt', message: 'go on' });
    await expect.poll(() => world.onlyLoop(), SLOW).toMatchObject({ status: 'completed', counted: 2 });
    expect(world.model.requests.at(-1)?.news).toContain('paint the shed');
  });

  it('says the goal again after a compaction, which is no stop', async () => {
    const world = await loopWorld('pi', ({ turn }) =>
      turn === 1 ? { text: 'not yet' } : turn === 2 ? { status: 400 } : DONE,
    );
    // Nothing that was said stays as it was.
    writeJson(path.join(world.home, '.pi/agent/settings.json'), { compaction: { keepRecentTokens: 1 } });
    const screen = open(world);
    screen.send({ type: 'prompt', message: '/ralph "paint the shed"' });
    await expect.poll(() => screen.text(), SLOW).toContain('"agent_settled"');
    screen.send({ type: 'compact' });
    await expect.poll(() => screen.text(), SLOW).toMatch(/"command":"compact","success":true/u);
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 1 });
    screen.send({ type: 'prompt', message: 'go on' });
    await expect.poll(() => world.onlyLoop().status, SLOW).toBe('completed');
    const said = world.model.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
    const summary = said.findIndex((text) => text.includes('<summary>'));
    const spoken = said.indexOf('go on');
    expect(summary).toBeGreaterThan(-1);
    // Only what was said after the error knows of it.
    expect(said.slice(summary + 1, spoken).join('\n')).toContain('This iteration runs again');
  });
});

type Screen = { readonly send: (line: object) => void; readonly text: () => string };

function open(world: LoopWorld): Screen {
  const { environment } = world.launcher.headless(world.place, { prompt: '' });
  const args = ['--mode', 'rpc', '--provider', 'fake', '--model', 'fake-model'];
  const env = { ...world.environment, ...environment };
  const child = spawn(world.place.client, args, { cwd: world.project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { text: () => text, send: (line) => child.stdin.write(`${JSON.stringify(line)}\n`) };
}
