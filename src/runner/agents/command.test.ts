import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aProject } from '../../../test/support/a-project.ts';
import { CELLS } from '../../../test/support/cells.ts';
import { fakeAgent, isRunning as isPidRunning, pidIn, until } from '../../../test/support/fake-agents.ts';
import type { AgentActivity, AgentSession, TurnEnd } from '../../engine/ports.ts';
import type { Cell } from '../../system/contain.ts';
import { processTable } from '../../system/process-table.ts';
import { commandAgent } from './command.ts';
import { PENDING_CHARS_MAX } from './output-inbox.ts';
import { MESSAGE_BYTES_MAX } from './process-agent.ts';
import { agentFor } from './registry.ts';

let project: string;
let cell: Cell | undefined;
const sessions: AgentSession[] = [];

/** Pids inside a namespace are different: there, no process with the mark may be left. */
const isRunning = (pid: number): boolean =>
  cell === undefined ? isPidRunning(pid) : processTable().carriers([`MARK=${project}`]).length > 0;

beforeEach(() => {
  project = aProject();
});

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.cancel();
});

async function open(command: string, killGraceMs = 200): Promise<AgentSession> {
  const agent = commandAgent({ command, killGraceMs, environment: { MARK: project }, cell: async () => cell });
  const session = await agent.open({ loop: 'a-loop', iteration: 7, cwd: project });
  sessions.push(session);
  return session;
}

async function collect(stream: AsyncIterable<AgentActivity>): Promise<AgentActivity[]> {
  const all: AgentActivity[] = [];
  for await (const activity of stream) all.push(activity);
  return all;
}

function endIn(activities: readonly AgentActivity[]): TurnEnd | undefined {
  const last = activities.at(-1);
  return last?.kind === 'ended' ? last.end : undefined;
}

describe.each(CELLS)('command agent $title', ({ contain, skips }) => {
  beforeEach(({ skip }) => {
    cell = contain;
    if (skips !== null) skip(skips);
  });

  it('hands over a prompt of a megabyte byte for byte, and says where the agent is', async () => {
    const nasty = '---\n-h "quotes" \'single\' `backticks` $(touch never) ${HOME} \\ %PATH% 🙂 \u0000 ';
    const prompt = nasty.repeat(Math.ceil(2 ** 20 / nasty.length));
    const session = await open(
      fakeAgent('keeps-prompt', path.join(project, 'prompt'), path.join(project, 'environment')),
    );
    const end = endIn(await collect(session.prompt(prompt)));

    expect(end).toEqual({ message: '<promise>DONE</promise>\n' });
    expect(readFileSync(path.join(project, 'prompt')).equals(Buffer.from(prompt))).toBe(true);
    expect(existsSync(path.join(project, 'never'))).toBe(false);
    expect(JSON.parse(readFileSync(path.join(project, 'environment'), 'utf8'))).toMatchObject({
      TIRELESS_LOOP: 'a-loop',
      TIRELESS_ITERATION: '7',
      TIRELESS_DIR: project,
    });
  });

  it('streams the message and the diagnostics, and ends with the class of a failure', async () => {
    const session = await open('echo said; echo 529 overloaded >&2; exit 3');
    const activities = await collect(session.prompt('go'));
    expect(activities).toContainEqual({ kind: 'output', stream: 'message', text: 'said\n' });
    expect(activities).toContainEqual({ kind: 'output', stream: 'diagnostics', text: '529 overloaded\n' });
    expect(endIn(activities)).toEqual({
      message: 'said\n',
      failure: { class: 'transient', detail: 'exit code 3: 529 overloaded', exitCode: 3 },
    });
  });

  it('reads the class of a failure from stderr, whatever the agent wrote about', async () => {
    const prose = 'I wrote a test for the text: usage limit reached, try again in 2 hours';
    const session = await open(
      `cat >/dev/null; echo "${prose}"; echo "API Error: 500 Internal Server Error" >&2; exit 1`,
    );
    const end = endIn(await collect(session.prompt('go')));
    expect(end?.failure).toEqual({
      class: 'transient',
      detail: 'exit code 1: API Error: 500 Internal Server Error',
      exitCode: 1,
    });
  });

  it.each(['true', 'exec 0<&-; true', 'head -c 10 >/dev/null'])(
    'does not mind an agent that leaves its input unread: %s',
    async (command) => {
      const session = await open(command);
      expect(endIn(await collect(session.prompt('x'.repeat(2 ** 20))))?.failure).toBeUndefined();
    },
  );

  it('keeps the end of an endless message and holds little while it comes', async () => {
    const session = await open(fakeAgent('floods', '64'));
    let longest = 0;
    let end: TurnEnd | undefined;
    for await (const activity of session.prompt('go')) {
      if (activity.kind === 'output') longest = Math.max(longest, activity.text.length);
      if (activity.kind === 'ended') end = activity.end;
    }
    expect(longest).toBeLessThanOrEqual(PENDING_CHARS_MAX);
    expect(end?.message.length).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
    expect(end?.message.endsWith('\n<promise>DONE</promise>\n')).toBe(true);
  });

  it.each([
    ['{"costUsd": 0.25, "tokens": 900}', { costUsd: 0.25, tokens: 900 }],
    ['garbage', { costUsd: 'unknown', tokens: 'unknown' }],
  ])('takes the usage an agent left as %s', async (text, usage) => {
    const session = await open(fakeAgent('reports-usage', text));
    expect(endIn(await collect(session.prompt('go')))).toEqual({ message: 'worked\n', usage });
  });

  it('kills an agent that ignores SIGTERM when it is cancelled', async () => {
    const session = await open(fakeAgent('ignores-sigterm', path.join(project, 'pid')));
    const streaming = collect(session.prompt('go'));
    const pid = await pidIn(path.join(project, 'pid'));
    await session.cancel();
    expect(isRunning(pid)).toBe(false);
    expect(endIn(await streaming)).toMatchObject({ failure: { class: 'unknown' } });
  });

  it.each(['stays', 'ends'])('leaves nothing of an agent that double-forks and %s', async (mode) => {
    const session = await open(fakeAgent('double-forks', path.join(project, 'pid'), mode));
    const streaming = collect(session.prompt('go'));
    const pid = await pidIn(path.join(project, 'pid'));
    if (mode === 'stays') await session.cancel();
    await streaming;
    expect(isRunning(pid)).toBe(false);
  });

  it('ends its agent when the reader leaves early', async () => {
    const session = await open(fakeAgent('ignores-sigterm', path.join(project, 'pid')));
    for await (const activity of session.prompt('go')) if (activity.kind === 'output') break;
    expect(isRunning(await pidIn(path.join(project, 'pid')))).toBe(false);
  });

  it('starts nothing when it was cancelled before', async () => {
    const session = await open(`echo started > ${path.join(project, 'started')}`);
    await session.cancel();
    expect(endIn(await collect(session.prompt('go')))?.failure).toBeDefined();
    expect(existsSync(path.join(project, 'started'))).toBe(false);
  });

  it('has each agent guarded while it runs', async () => {
    const said: string[] = [];
    const watchdog = {
      guard: (pid: number) => void said.push(`guard ${pid}`),
      release: (pid: number) => void said.push(`release ${pid}`),
    };
    const session = await commandAgent({ command: 'true', watchdog }).open({
      loop: 'a-loop',
      iteration: 1,
      cwd: project,
    });
    await collect(session.prompt('go'));
    await until(() => said.length === 2);
    expect(said.map((line) => line.split(' ')[0])).toEqual(['guard', 'release']);
    expect(said[0]?.split(' ')[1]).toBe(said[1]?.split(' ')[1]);
  });
});

describe('agentFor', () => {
  const options = { nodePath: process.execPath };

  it('runs a command as it was typed', () => {
    expect(agentFor({ kind: 'command', command: 'my-agent --flag' }, options).name).toBe('my-agent --flag');
  });

  it('knows the demo and says what to do about other names', () => {
    expect(agentFor({ kind: 'named', name: 'demo' }, options).name).toContain('.demo/agent.mjs');
    expect(() => agentFor({ kind: 'named', name: 'other' }, options)).toThrow(/"other".*--agent-command/u);
  });
});
