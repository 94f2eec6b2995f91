/** `tireless run --agent NAME` with the real clients: what is seen while they work, what they used, and why they failed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/setup/fake-model/script.ts';
import { agentWorld, type AgentResult, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';

/** Longer than a client needs to start on a busy machine, and shorter than the turn. */
const IDLE_SECONDS = 15;
const STEP_MS = 4000;
const STEPS = 5;
const MINUTES_2_HOURS = 120;
/** What the prompt quotes, and nobody says of this turn. */
const BAIT = 'echo usage limit reached, try again in 2 hours; test -f done.txt';
const ARGS = {
  'claude-code': { quick: [], model: '--model claude-haiku-4-5 --allowedTools Bash' },
  codex: {
    // Offline it waits five seconds for this one when it ends.
    quick: ['--agent-args', '--disable plugin_discovery_prefetch'],
    model: '--disable plugin_discovery_prefetch -m "other-model"',
  },
} as const;

type View = {
  readonly id: string;
  readonly status: string;
  readonly host: string;
  readonly usage: {
    readonly costUsd: number | 'unknown';
    readonly tokens: number | 'unknown';
    readonly faults: number;
  };
  readonly outcome: { readonly guard: string | null; readonly reason: string } | null;
  readonly pause?: { readonly cause: string; readonly resumeAt: string | null };
};

function viewIn({ stdout, stderr }: Pick<AgentResult, 'stdout' | 'stderr'>): View {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`no JSON in:\n${stdout}\n${stderr}`);
  return JSON.parse(last) as View;
}

for (const { host, absent, title } of hostsToTry(['claude-code', 'codex'])) {
  const name = host === 'codex' ? 'codex' : 'claude-code';
  const { quick, model } = ARGS[name];
  const run = async (world: AgentWorld, ...more: readonly string[]): Promise<AgentResult> =>
    world.tirelessWithAgents('run', 'make done.txt', '--agent', name, ...more);

  describe.skipIf(absent !== null)(`tireless run --agent ${title}`, () => {
    it('shows the agent at work, does not cut a long turn that uses tools, and tells what it used', async () => {
      const world: AgentWorld = await agentWorld(host, async (request: ModelRequest) => {
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
        // One tool that is silent for longer than the agent may be.
        if (request.turn === 1) return { shell: `node -e "setTimeout(() => {}, ${(IDLE_SECONDS + 4) * 1000})"` };
        if (request.turn < STEPS) return { shell: `echo step ${request.turn}` };
        return request.turn === STEPS
          ? { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }
          : { text: 'All of it is done.' };
      });
      const timeout = ['--idle-timeout', `${IDLE_SECONDS}s`];
      const result = await run(
        world,
        '--check',
        'test -f done.txt',
        ...timeout,
        '--json=stream',
        '--agent-args',
        model,
      );
      expect([result.exitCode, result.stderr]).toEqual([0, expect.not.stringContaining('silent')]);
      const view = viewIn(result);
      expect(view).toMatchObject({ status: 'completed', host: name, usage: { faults: 0, tokens: 720 } });
      expect(typeof view.usage.costUsd).toBe(name === 'codex' ? 'string' : 'number');
      const tools = result.stdout.split('\n').filter((line) => line.includes('"tool-used"'));
      expect(tools.length).toBe(STEPS);
      expect(result.stdout).toContain('All of it is done.');
      expect(result.requests[0]?.model).toBe(name === 'codex' ? 'other-model' : 'claude-haiku-4-5');
      for (const command of [['status', view.id], ['explain', view.id], ['history'], ['list']])
        expect(world.tireless(...command).stdout).toContain('720 tokens');
      expect(world.tireless('list').stdout).toMatch(name === 'codex' ? /  720 tokens/u : /\$\S+ 720 tokens/u);
      expect(world.tireless('status', view.id).stdout.includes('less than $0.01')).toBe(name === 'claude-code');
      expect(world.tireless('explain', view.id).stdout).toContain(`the turn used`);
    });

    it('halts at --max-tokens', async () => {
      const world = await agentWorld(host, () => ({ text: 'not yet' }));
      const result = await run(world, '--check', 'test -f done.txt', '--max-tokens', '100', '--json', ...quick);
      expect(result.exitCode).toBe(3);
      expect(viewIn(result)).toMatchObject({
        status: 'halted',
        outcome: { guard: 'tokens-max' },
        usage: { tokens: 120 },
      });
      expect(result.requests).toHaveLength(1);
    });

    it('retries after an HTTP 500, whatever the prompt quotes', async () => {
      let asked = 0;
      const world: AgentWorld = await agentWorld(host, () => {
        asked += 1;
        // Claude Code tries twice by itself.
        if (asked === 2 || asked === 3) return { status: 500, message: 'Something broke.' };
        return asked === 4
          ? { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }
          : { text: `said ${asked}` };
      });
      const result = await run(world, '--check', BAIT, '--json', ...quick);
      expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)]);
      const { id } = viewIn(result);
      const explained = world.tireless('explain', id).stdout;
      expect(world.model.requests[1]?.lastUserText).toContain('usage limit reached, try again in 2 hours');
      expect(explained).toContain('The agent failed (transient)');
      expect(explained).not.toContain('usage-limit');
    });

    it('waits for a usage limit until the time it is told', async () => {
      const resetsAt = Math.floor(Date.now() / 1000) + MINUTES_2_HOURS * 60;
      const world = await agentWorld(host, () => ({
        status: 429,
        message: "You've hit your usage limit. Try again in 2 hours.",
        fields: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: resetsAt },
      }));
      const result = await run(world, '--check', 'test -f done.txt', '--no-wait', '--json', ...quick);
      expect(result.exitCode).toBe(4);
      const { pause, usage } = viewIn(result);
      expect([pause?.cause, usage.faults]).toEqual(['usage-limit', 0]);
      const minutes = (Date.parse(pause?.resumeAt ?? '') / 1000 - resetsAt) / 60;
      expect(Math.abs(minutes)).toBeLessThan(2);
    });

    it('says before anything is spent what it cannot do', async () => {
      const world = await agentWorld(host, () => ({ text: 'never asked' }));
      const args = ['run', 'a goal', '--agent', name, '--check', 'true'];
      expect(world.tireless(...args)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/AGENT_NOT_FOUND: Cannot start the agent [\w-]+: there is no program/u) as string,
      });
      expect(world.model.requests).toEqual([]);
    });
  });
}

const [claude] = hostsToTry(['claude-code']);

describe.skipIf(claude?.absent !== null)(`the hooks of an agent in an outer loop (${claude?.title})`, () => {
  it('leave the state file of another loop alone, which any session may take', async () => {
    const file = '.claude/ralph-loop.local.md';
    const text =
      '---\nactive: true\niteration: 1\nsession_id:\nmax_iterations: 5\ncompletion_promise: "ALL"\nstarted_at: "2026-11-17T12:00:00Z"\n---\n\npaint the shed\n';
    const world: AgentWorld = await agentWorld('claude-code', ({ turn }) =>
      turn === 1
        ? { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }
        : { text: 'All of it is done.' },
    );
    const installed = world.tireless('install', 'claude-code', '--project', '--dialect', 'ralph-loop', '--yes');
    expect([installed.exitCode, installed.stderr]).toEqual([0, '']);
    mkdirSync(path.join(world.project, '.claude'), { recursive: true });
    writeFileSync(path.join(world.project, file), text);
    const args = ['--agent', 'claude-code', '--check', 'test -f done.txt'];
    const result = await world.tirelessWithAgents('run', 'make done.txt', ...args);
    expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)]);
    expect(result.requests.map((request) => request.news).join('\n')).not.toContain('paint the shed');
    expect(readFileSync(path.join(world.project, file), 'utf8')).toBe(text);
    // It was free to be taken: a session of the user gets it.
    const own = await world.run({ prompt: 'say something' });
    expect(own.requests.map((request) => request.news).join('\n')).toContain('paint the shed');
  });
});

const [codex] = hostsToTry(['codex']);

describe.skipIf(codex?.absent !== null)(`tireless run with ${codex?.title}`, () => {
  it('refuses a limit on the cost, which Codex does not tell', async () => {
    const world = await agentWorld('codex', () => ({ text: 'never asked' }));
    const args = ['run', 'a goal', '--agent', 'codex', '--check', 'test -f done.txt', '--max-cost', '5'];
    expect(await world.tirelessWithAgents(...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Use --max-tokens instead') as string,
      requests: [],
    });
  });

  it('does not take the prompt that Codex prints for an error', async () => {
    let asked = 0;
    const world: AgentWorld = await agentWorld('codex', () => {
      asked += 1;
      if (asked === 2 || asked === 3) return { status: 500, message: 'Something broke.' };
      return asked === 4
        ? { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }
        : { text: `said ${asked}` };
    });
    const command = 'codex exec --skip-git-repo-check --disable plugin_discovery_prefetch -';
    const result = await world.tirelessWithAgents(
      'run',
      'make it',
      '--agent-command',
      command,
      '--check',
      BAIT,
      '--json',
    );
    expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)]);
    expect(result.requests.at(-1)?.lastUserText).toContain('usage limit reached');
    expect(viewIn(result)).toMatchObject({ status: 'completed', usage: { faults: 0 } });
    const explained = world.tireless('explain', viewIn(result).id).stdout;
    expect(explained).toContain('The agent failed (transient)');
  });

  it('halts at once when the account has no credit', async () => {
    const world = await agentWorld('codex', () => ({
      status: 429,
      message: 'You exceeded your current quota, please check your plan and billing details.',
      fields: { type: 'insufficient_quota', code: 'insufficient_quota' },
    }));
    const quick = ['--agent-args', '--disable plugin_discovery_prefetch'];
    const args = ['run', 'make it', '--agent', 'codex', ...quick, '--check', 'test -f done.txt', '--no-wait', '--json'];
    const result = await world.tirelessWithAgents(...args);
    expect([result.exitCode, viewIn(result).outcome?.guard]).toEqual([6, 'agent-failed']);
  });
});

for (const { host, absent, title } of hostsToTry(['gemini', 'copilot'])) {
  describe.skipIf(absent !== null)(`tireless run --agent ${title}, as a plain command`, () => {
    it('does not take what the agent writes for an error of its service', async () => {
      const world = await agentWorld(host, ({ turn }) =>
        turn === 1
          ? [{ text: 'The page must say: usage limit reached, try again in 2 hours.' }, { shell: 'echo seen' }]
          : { status: 400, message: 'Something is wrong with it.' },
      );
      const args = ['run', 'make it', '--agent', host, '--check', 'test -f done.txt', '--max-faults', '1'];
      const result = await world.tirelessWithAgents(...args, '--no-wait', '--json');
      expect([result.exitCode, viewIn(result).outcome?.guard]).toEqual([6, 'faults-in-row']);
    });
  });
}
