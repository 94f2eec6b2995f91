import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/setup/fake-model/script.ts';
import { agentWorld, expectSuccess, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import {
  expectPayload,
  keepDamaged,
  expectPayloads,
  expectTranscript,
  LAST_WORDS,
  plainName,
  recorded,
  recordEvents,
  type Recorded,
} from './support/recording.ts';
import { sanitizer } from './support/sanitize.ts';

const EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'TaskCreated',
];
const GO_ON = JSON.stringify({ decision: 'block', reason: 'Go on: the tests do not pass yet.' });
/** The client does not wait for this hook when it ends, and about every third is lost. */
const FAILURE_TRIES_MAX = 8;
const POLL = { timeout: 60_000, interval: 100 };

const [claude = { absent: 'unknown', title: 'claude-code' }] = hostsToTry(['claude-code']);

describe.skipIf(claude.absent !== null)(`real ${claude.title}`, () => {
  it('sends the payloads that were recorded', async () => {
    const world = await recordingWorld(
      ({ turn }) =>
        [
          { write: { path: path.join(world.project, 'made.txt'), content: 'made\n' } },
          { text: LAST_WORDS },
          { text: 'All of it is done now.' },
        ][turn - 1] ?? { text: 'All of it was done before.' },
      { Stop: [GO_ON] },
    );
    const first = await world.run({ prompt: 'make the tests pass' });
    expectSuccess(first);
    await world.run({ prompt: 'and now?', resume: world.sessionOf(first) });
    expectKept(world, world.sessionOf(first), [
      'session-start',
      'session-start-resume',
      'user-prompt-submit',
      'pre-tool-use',
      'post-tool-use',
      'stop',
      'stop-again',
      'session-end',
    ]);
    keepDamaged(world, 'stop');
    expectTranscript(world, 'Stop', world.sessionOf(first));
  });

  it.each([
    ['stop-failure', 429, "This request would exceed your account's rate limit."],
    ['stop-failure-invalid-request', 400, 'prompt is too long: 250000 tokens > 200000 maximum'],
    ['stop-failure-unknown', 400, 'The request is not valid.'],
    ['stop-failure-server-error', 500, 'Something broke.'],
  ])('sends %s when the model answers %i', async (name, status, message) => {
    const world = await recordingWorld(() => ({ status, message }));
    let session = '';
    for (let tries = 0; tries < FAILURE_TRIES_MAX && !names(world).includes(name); tries += 1) {
      session = world.sessionOf(await world.run({ prompt: 'make the tests pass' }));
    }
    expectKept(world, session, [name]);
  });

  it('sends the words of a command before they are expanded', async () => {
    const world = await recordingWorld(
      () => ({ text: 'shipped' }),
      {},
      {
        '.claude/commands/ship.md': '---\ndescription: ships\n---\nShip $ARGUMENTS\n',
      },
    );
    const result = await world.run({ prompt: '/ship it\'s "quoted" `x` $(y)' });
    expectKept(world, world.sessionOf(result), ['user-prompt-expansion']);
  });

  it('sends the stop of a subagent', async () => {
    const world = await recordingWorld(({ agent, turn, tools }) => {
      if (agent !== null) return { text: 'explored' };
      const tool = tools.find((name) => name === 'Task' || name === 'Agent') ?? 'Task';
      const args = { description: 'look around', prompt: 'look around', subagent_type: 'Explore' };
      return turn === 1 ? { tool, args: { ...args, run_in_background: false } } : { text: LAST_WORDS };
    });
    const result = await world.run({ prompt: 'make the tests pass' });
    expectKept(world, world.sessionOf(result), ['subagent-stop', 'subagent-start']);
  });

  it('says at a stop that work continues in the background', async () => {
    const command = 'python3 -c "import time; time.sleep(4)"';
    const world = await recordingWorld(({ turn }) =>
      turn === 1
        ? { tool: 'Bash', args: { command, description: 'kw', run_in_background: true } }
        : { text: LAST_WORDS },
    );
    const result = await world.run({ prompt: 'make the tests pass' });
    expectKept(world, world.sessionOf(result), ['stop-background-task']);
  });

  it('says at a stop that it will come back at a given time', async () => {
    const world = await recordingWorld(({ turn }) =>
      turn === 1
        ? { tool: 'CronCreate', args: { cron: '35 18 * * *', prompt: '/loop check the deploy', recurring: false } }
        : { text: LAST_WORDS },
    );
    // It stays up for the appointment; the test does not.
    world.start({ prompt: 'make the tests pass' });
    await expect.poll(() => names(world), POLL).toContain('stop-session-cron');
    expectKept(world, world.model.requests[0]?.session ?? '', ['stop-session-cron']);
  });

  it('sends what it does when the context is full', async () => {
    const world = await recordingWorld(({ turn, lastUserText }) => {
      if (/summar/iu.test(lastUserText) && turn > 1) return { text: '<summary>The shop is half done.</summary>' };
      return turn === 1 ? { shell: 'true', usage: { input: 995_000 } } : { text: LAST_WORDS };
    });
    const result = await world.run({ prompt: 'make the tests pass' });
    expectKept(world, world.sessionOf(result), [
      'pre-compact',
      'post-compact',
      'session-start-compact',
      'subagent-stop-of-compaction',
    ]);
  });

  it('keeps its list of tasks in files', async () => {
    const world = await recordingWorld(({ turn }) =>
      turn === 1
        ? {
            tool: 'TaskCreate',
            args: { subject: 'Fix the cart', description: 'The sum is wrong.', activeForm: 'Fixing' },
          }
        : { text: LAST_WORDS },
    );
    const result = await world.run({
      prompt: 'make the tests pass',
      environment: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
    });
    const session = world.sessionOf(result);
    expectKept(world, session, ['task-created']);
    const tasks = path.join(world.home, '.claude/tasks');
    const files = existsSync(tasks) ? readdirSync(tasks, { recursive: true, encoding: 'utf8' }) : [];
    const file = files.find((name) => name.endsWith('.json')) ?? 'no task file';
    const task = JSON.parse(readFileSync(path.join(tasks, file), 'utf8')) as unknown;
    expectPayload(world, 'task-file', sanitizer(world.place, session)(task));
    expect(file).toBe(path.join(session, '1.json'));
  });
});

async function recordingWorld(
  script: Script,
  replies: Readonly<Record<string, readonly string[]>> = {},
  files?: Readonly<Record<string, string>>,
): Promise<AgentWorld> {
  const world = await agentWorld('claude-code', script, files);
  recordEvents(world, EVENTS, replies);
  return world;
}

function expectKept(world: AgentWorld, session: string, wanted: readonly string[]): void {
  expectPayloads(world, wanted, { session, nameOf });
}

function names(world: AgentWorld): string[] {
  return recorded(world).map(nameOf);
}

function nameOf(one: Recorded): string {
  const { payload } = one;
  const isFull = (name: string): boolean => Array.isArray(payload[name]) && payload[name].length > 0;
  if (one.event === 'Stop' && isFull('background_tasks')) return 'stop-background-task';
  if (one.event === 'Stop' && isFull('session_crons')) return 'stop-session-cron';
  if (one.event === 'SubagentStop' && payload['agent_type'] === '') return 'subagent-stop-of-compaction';
  if (one.event === 'StopFailure' && payload['error'] !== 'rate_limit') {
    return `stop-failure-${String(payload['error']).replaceAll('_', '-')}`;
  }
  return plainName(one);
}
