/** `tireless mcp` as the real client starts it: the agent asks about its own loop, and can change nothing of it. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/setup/fake-model/script.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import type { AgentWorld } from '../support/agent-world.ts';
import { expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/mcp.md', import.meta.url));
const TEST = `import assert from 'node:assert';
import test from 'node:test';
import { add } from '../src/add.mjs';
test('adds', () => assert.equal(add(1, 2), 3));
`;
const PROJECT = { 'src/add.mjs': 'export const add = (a, b) => a - b;\n', 'test/add.test.mjs': TEST };
const FIXED = 'export const add = (a, b) => a + b;\n';
const CHECKS = ['--check', 'unit:: node --test', '--holdout', 'top-secret:: test -f src/add.mjs'];
const DONE: Answer = { text: 'No problems found.' };
const OF_THE_SESSION = new Set(['session-resumed', 'user-spoke', 'turn-ended']);
const WAIT = { timeout: 60_000, interval: 100 };

/** With `tireless` on the PATH, as after `npm install -g tireless`. */
function withProgram(world: AgentWorld): { readonly PATH: string } {
  const bin = path.join(world.home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'tireless'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(path.join(bin, 'tireless'), 0o755);
  return { PATH: `${bin}:${world.environment['PATH'] ?? ''}` };
}

/** The command of the page, as a user types it. */
async function addServer(world: AgentWorld): Promise<void> {
  const [, words = ''] = /^claude (mcp add .*)$/mu.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const { environment } = world.launcher.headless(world.place, { prompt: '' });
  const how = { args: words.split(' '), environment: { ...environment, ...withProgram(world) } };
  expectSuccess(await world.launch(how).done);
}

const tool = (name: string, args: Readonly<Record<string, string>> = {}): Answer => ({
  tool: `mcp__tireless__${name}`,
  args,
});

function entriesIn({ tirelessHome, onlyLoop }: LoopWorld): readonly string[] {
  const store = openFileStore({ home: tirelessHome });
  const kinds = store.entries(onlyLoop().loop).map(({ event }) => event.kind);
  store.close();
  return kinds;
}

const [client] = hostsToTry(['claude-code']);

describe.skipIf(client?.absent !== null)(`tireless mcp in ${client?.title}`, () => {
  it('shows the agent its own loop, verifies in the clean room, and changes nothing of the loop', async () => {
    const test = (content: string): Answer => ({
      write: { path: path.join(world.project, 'test/add.test.mjs'), content },
    });
    const steps: readonly (() => Answer)[] = [
      () => tool('goal'),
      () => tool('limits'),
      () => tool('open'),
      () => tool('verify'),
      () => test(''),
      () => tool('verify'),
      () => test(TEST),
      () => ({ write: { path: path.join(world.project, 'src/add.mjs'), content: FIXED } }),
      () => tool('verify'),
      () => tool('limits', { iterations: '9999' }),
      () => tool('approve'),
      () => tool('note_progress', { text: 'plus was minus' }),
    ];
    const world = await loopWorld('claude-code', ({ turn }) => steps[turn - 1]?.() ?? DONE, {}, PROJECT);
    await addServer(world);
    const session = randomUUID();
    const goal = 'make the tests pass';
    const started = world.tireless('start', goal, '--session', session, ...CHECKS, '--max-iterations', '7');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    const result = await world.run({ prompt: 'go', session, environment: withProgram(world) });
    expectSuccess(result);
    const answerTo = (turn: number): string => result.requests[turn]?.news ?? '';
    expect(answerTo(1)).toContain(`Loop ${world.onlyLoop().loop}: running.`);
    expect(answerTo(1)).toContain('make the tests pass');
    expect(answerTo(2)).toContain('Iteration 1 of 7; 6 more after this one.');
    expect(answerTo(3)).toContain('- unit: ');
    expect(answerTo(4)).toContain('Not done: 1 of 1 checks do not pass in the work tree.');
    expect(answerTo(6)).toContain('not proven in the clean room');
    expect(answerTo(6)).toContain('test/add.test.mjs modified');
    expect(answerTo(9)).toContain('All checks pass, also in the clean room.');
    expect(answerTo(10)).toContain('Iteration 1 of 7; 6 more after this one.');
    expect(answerTo(11)).toContain('No such tool');
    expect(answerTo(12)).toContain('Noted in');
    expect(world.onlyLoop()).toMatchObject({
      status: 'completed',
      counted: 1,
      limits: { iterationsMax: 7 },
      outcome: { verified: true, level: 'room' },
    });
    // Whatever the session itself reports, and nothing of the tools.
    expect(entriesIn(world).filter((kind) => !OF_THE_SESSION.has(kind))).toEqual(['loop-started', 'baseline-taken']);
    expect(JSON.stringify(result.requests.map(({ messages }) => messages))).not.toContain('top-secret');
  });

  it('is found in the file of the page as well, and answers that there is no loop where there is none', async () => {
    const [, file = ''] = /```json \.mcp\.json\n([^`]+)```/u.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const world = await loopWorld(
      'claude-code',
      ({ turn }) => (turn === 1 ? tool('goal') : DONE),
      {},
      { ...PROJECT, '.mcp.json': file },
    );
    const result = await world.run({ prompt: 'what is the goal?', environment: withProgram(world) });
    expect(result.requests[1]?.news).toContain('There is no loop for this agent yet.');
  });

  const why = noTerminal();
  it.skipIf(why !== null)(
    `says after /clear how the user connects it to the new session, and then answers${why === null ? '' : ` (SKIPPED: ${why})`}`,
    async () => {
      const answers: string[] = [];
      const world = await loopWorld('claude-code', ({ news }) => {
        if (news.includes('# Goal')) return tool('goal');
        answers.push(news);
        return { text: 'x\n<promise>DONE</promise>' };
      });
      await addServer(world);
      const terminal = openTerminal(world, {
        environment: withProgram(world),
        args: ['--allowedTools', 'mcp__tireless'],
      });
      const loopOf = async (goal: string, count: number): Promise<void> => {
        await terminal.rests();
        await terminal.say(`/ralph "${goal}"`);
        await expect.poll(() => world.loops().filter(({ status }) => status === 'completed'), WAIT).toHaveLength(count);
        await terminal.rests();
      };
      await terminal.shows(/❯/u);
      await loopOf('the first goal', 1);
      await terminal.say('/clear');
      await loopOf('the second goal', 2);
      await terminal.say('/mcp reconnect tireless');
      await terminal.shows('Successfully reconnected to tireless');
      await loopOf('the third goal', 3);
      expect(answers).toEqual([
        expect.stringContaining('the first goal'),
        expect.stringContaining('/mcp reconnect tireless'),
        expect.stringContaining('the third goal'),
      ]);
    },
  );
});
