/** Claude Code obeys eight replies in a row, and a plugin cannot raise that: the loop is handed over before it is cut off without a word. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import type { AgentResult, AgentWorld } from '../support/agent-world.ts';
import { agentWorld, expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopsIn, shownTo } from '../support/host-suite.ts';
import { PLUGINS } from '../support/plugin-install.ts';

const [client] = hostsToTry(['claude-code']);
const DONE = 'x\n<promise>DONE</promise>';
const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
/** What the client says when it does not obey any more. */
const CUT_OFF = 'consecutive times';

type Asked = Parameters<Script>[0];
type Capped = AgentWorld & { readonly result: AgentResult };

/** With the plugin alone; `cap` as the user's settings would have it. */
async function looped(
  script: (request: Asked, world: AgentWorld) => ReturnType<Script>,
  cap?: string,
  more?: (world: AgentWorld) => { readonly words: string; readonly environment: Readonly<Record<string, string>> },
): Promise<Capped> {
  const world: AgentWorld = await agentWorld('claude-code', (request) => script(request, world));
  const { words = '', environment = {} } = more?.(world) ?? {};
  const result = await world.run({
    prompt: `/tireless:ralph "count" --max-no-progress unlimited ${words}`,
    args: pluginArgs(cap),
    environment,
  });
  expectSuccess(result);
  return { ...world, result };
}

function pluginArgs(cap?: string): readonly string[] {
  const settings = cap === undefined ? [] : ['--settings', JSON.stringify({ env: { [CAP]: cap } })];
  return ['--plugin-dir', `${PLUGINS}/claude-code`, ...settings];
}

/** The client writes its transcript a little later, and a fake model is faster than that: no real one is. */
async function isWritten(home: string, text: string, times: number): Promise<void> {
  const folder = path.join(home, '.claude/projects');
  const transcripts = (): readonly string[] =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const count = (): number => transcripts().join('').split(text).length - 1;
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThanOrEqual(times);
}

const part = (turn: number): { readonly text: string } => ({ text: `part ${turn}: ${'word '.repeat(turn)}` });

describe.skipIf(client?.absent !== null)(`replies in a row in ${client?.title}, with the plugin alone`, () => {
  it('are at their end with mere text: the user is notified, and the loop continues outside with its counters', async () => {
    const world = await looped(({ turn, lastUserText }) =>
      lastUserText.includes('This is iteration 11') ? { text: DONE } : part(turn),
    );
    const [state] = loopsIn(world);
    expect(state).toMatchObject({ status: 'paused', counted: 9, pause: { cause: 'handed-over' } });
    expect(world.result.requests).toHaveLength(9);
    expect(world.result.stdout).toContain(`tireless resume ${state?.loop}`);
    expect(world.result.stdout).not.toContain(CUT_OFF);
    const resumed = await world.tirelessWithAgents('resume', state?.loop ?? '');
    expect({ exitCode: resumed.exitCode, stderr: resumed.stderr }).toMatchObject({ exitCode: 0 });
    expect(shownTo(resumed)).toContain('This is iteration 10');
    expect(loopsIn(world)).toMatchObject([{ loop: state?.loop, status: 'completed', counted: 11 }]);
  });

  it('continue in the session when the user writes', async () => {
    const world = await looped(({ turn }) => (turn < 12 ? part(turn) : { text: DONE }));
    const again = await world.run({
      prompt: 'go on',
      resume: world.sessionOf(world.result),
      args: pluginArgs(),
    });
    expect(again.stdout).not.toContain(CUT_OFF);
    expect(loopsIn(world)).toMatchObject([{ status: 'completed', counted: 12, faults: 0 }]);
  });

  it('have no end for an agent that uses tools', async () => {
    const world = await looped(({ turn }) =>
      turn === 28 ? { text: DONE } : turn % 2 === 1 ? { shell: `echo ${turn}` } : part(turn),
    );
    expect(loopsIn(world)).toMatchObject([{ status: 'completed', counted: 14 }]);
    expect(world.result.stdout).not.toContain(CUT_OFF);
  });

  it('begin anew with each tool, and end where the settings say', async () => {
    // Three replies, a tool, and three more: the eighth request is the seventh stop.
    const world = await looped(async ({ turn }, { home }) => {
      await isWritten(home, 'stop_hook_summary', turn > 4 ? turn - 2 : turn - 1);
      await isWritten(home, '"type":"tool_use"', turn > 4 ? 1 : 0);
      return turn === 4 ? { shell: 'echo hi' } : part(turn);
    }, '3');
    expect(loopsIn(world)).toMatchObject([{ status: 'paused', counted: 7, pause: { cause: 'handed-over' } }]);
    expect(world.result.stdout).not.toContain(CUT_OFF);
  });

  it('are at their end too when the agent does not wait for a slow check: the user is notified, and it can still wait', async () => {
    const environment = { TIRELESS_HOOK_SECONDS: '1' };
    const doorOf = ({ home }: AgentWorld): string => path.join(home, 'door');
    let isPatient = false;
    const world = await looped(
      ({ turn, news }, made) => {
        // As an agent would: the command is the one that it was told. The plugin has put no "tireless" on its PATH.
        const [wait = 'false'] = /^.* wait \S+$/mu.exec(news) ?? [];
        if (!isPatient) return part(turn);
        if (!news.includes(' wait ')) return { text: DONE };
        writeFileSync(doorOf(made), '');
        return { shell: wait };
      },
      '3',
      (made) => ({ words: `--check "while [ ! -f ${doorOf(made)} ]; do sleep 0.1; done"`, environment }),
    );
    const [state] = loopsIn(world);
    expect(state).toMatchObject({ status: 'paused', counted: 0, pause: { cause: 'handed-over' } });
    expect(world.result.requests).toHaveLength(4);
    expect(world.result.stdout).toContain(
      `its checks are still running; write to the agent here, and the loop continues`,
    );
    expect(world.result.stdout).not.toContain(CUT_OFF);
    isPatient = true;
    const resume = world.sessionOf(world.result);
    const again = await world.run({ prompt: 'go on', resume, args: pluginArgs('3'), environment });
    expectSuccess(again);
    expect(shownTo(again)).toContain('the checks are done');
    expect(loopsIn(world)).toMatchObject([{ status: 'completed', counted: 1, faults: 0 }]);
  });

  it('have no end where the settings say so', async () => {
    const world = await looped(({ turn }) => (turn < 12 ? part(turn) : { text: DONE }), '0');
    expect(loopsIn(world)).toMatchObject([{ status: 'completed', counted: 12 }]);
  });
});
