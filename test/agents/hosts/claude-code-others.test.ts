/** Work beside the agent's own turn, in the real client: subagents, commands in the background, and checks that outlast the hook. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld, shortenStop, shownTo } from '../support/host-suite.ts';
import { openTerminal } from '../support/tmux.ts';

/** For what a hook does after its client is gone. */
const WAIT = { timeout: 20_000, interval: 100 };
const DONE = 'x\n<promise>DONE</promise>';
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const [client] = hostsToTry(['claude-code']);

describe.skipIf(client?.absent !== null)(`beside the turn of ${client?.title}`, () => {
  it('the stop of a subagent is none of the loop', async () => {
    let subagents = 0;
    const world = await loopWorld('claude-code', ({ agent, turn }) => {
      if (agent !== null) {
        subagents++;
        return { text: 'The subagent says so.\n<promise>DONE</promise>' };
      }
      const task = {
        description: 'look',
        prompt: 'look at it',
        subagent_type: 'general-purpose',
        run_in_background: false,
      };
      return turn === 1 ? { tool: 'Task', args: task } : { text: turn === 2 ? 'not yet' : DONE };
    });
    const result = await world.type('/ralph "paint the shed"');
    expect(subagents).toBeGreaterThan(0);
    // The turn with the subagent in it is one iteration.
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2 });
    expect(result.requests.filter(({ agent }) => agent === null)).toHaveLength(3);
  });

  it('a stop while a command runs in the background is not counted: the loop waits for it', async () => {
    const world = await loopWorld('claude-code', ({ turn }) => {
      const command = `node -e "setTimeout(() => console.log('painted'), 3000)"`;
      if (turn === 1) return { tool: 'Bash', args: { command, description: 'paint', run_in_background: true } };
      return { text: turn === 2 ? 'It is under way; I wait.' : DONE };
    });
    const result = await world.type('/ralph "paint the shed"');
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1 });
    expect(result.requests).toHaveLength(3);
    expect(shownTo(result)).toContain('task-notification');
  });

  it('a server that the agent leaves in the background holds up one stop for a while, and then none', async () => {
    const world = await loopWorld('claude-code', ({ turn }) => {
      const command = 'node -e "setInterval(() => undefined, 1000)"';
      if (turn === 1) return { tool: 'Bash', args: { command, description: 'serve', run_in_background: true } };
      if (turn === 4) writeFileSync(path.join(world.project, 'done.txt'), '');
      return { text: `part ${turn} of it` };
    });
    const terminal = openTerminal(world, { environment: { TIRELESS_HOOK_SECONDS: '16' } });
    await terminal.shows(/❯/u);
    await terminal.say('/ralph "paint the shed" --check "test -f done.txt"');
    await expect.poll(() => world.loops(), { timeout: 90_000 }).toMatchObject([{ status: 'completed', counted: 3 }]);
    expect(world.model.requests[2]?.news).toContain('It no longer delays the loop');
    expect(world.model.requests[3]?.news).not.toContain('It no longer delays the loop');
    await terminal.shows(/work\s+in\s+the\s+background\s+did\s+not\s+end/u);
  });

  it('a turn that failed is written down although the client exits at once', async () => {
    const world = await loopWorld('claude-code', ({ turn }) => (turn === 1 ? { text: 'not yet' } : { status: 400 }));
    await world.type('/ralph "paint the shed"');
    await expect.poll(() => world.onlyLoop(), WAIT).toMatchObject({ status: 'running', counted: 1, faults: 1 });
  });

  it('a turn that failed is recorded although the client killed the hook before it could begin', async () => {
    let isBack = false;
    const world = await loopWorld('claude-code', ({ turn }) =>
      isBack ? { text: DONE } : turn === 1 ? { text: 'not yet' } : { status: 400, message: 'no such thing' },
    );
    // As on a machine with too much to do: the client waits a second and a half.
    const script = path.join(world.tirelessHome, 'hooks/claude-code.sh');
    const slow = '[ $on != failure ] || while :; do sleep 1; done\n';
    writeFileSync(script, `${slow}${readFileSync(script, 'utf8')}`);
    const session = world.sessionOf(await world.type('/ralph "paint the shed"'));
    await expect
      .poll(() => world.onlyLoop(), WAIT)
      .toMatchObject({ status: 'running', counted: 1, faults: 1, sessionLeft: true });
    expect(world.tireless('status').stdout).toContain('the last turn failed: unknown: API Error: 400 no such thing');
    isBack = true;
    const again = await world.run({ prompt: 'go on', resume: session });
    expect(again.requests[0]?.news).toContain('This iteration runs again');
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2, faults: 1 });
  });

  it.each([
    ['a usage limit', { status: 429, message: 'You have hit your usage limit, resets 3pm' }, 'usage-limit'],
    ['a full conversation', { status: 400, message: 'prompt is too long: 2 tokens > 1 maximum' }, 'handed-over'],
  ] as const)('%s parks the loop, and it continues outside with its counters', async (_name, error, cause) => {
    let isOver = false;
    const world = await loopWorld('claude-code', ({ turn }) =>
      isOver ? { text: DONE } : turn === 1 ? { text: 'not yet' } : error,
    );
    await world.type('/ralph "paint the shed"');
    await expect.poll(() => world.onlyLoop(), WAIT).toMatchObject({ status: 'paused', counted: 1, pause: { cause } });
    isOver = true;
    const resumed = await world.tirelessWithAgents('resume', world.onlyLoop().loop);
    expectSuccess(resumed);
    expect(resumed.requests).toHaveLength(1);
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2, session: null });
  });

  it('a hook that took longer than the client waited is reported at the next prompt', async () => {
    const world = await loopWorld('claude-code', () => {
      writeFileSync(path.join(world.project, 'slow'), '');
      return { text: 'not yet' };
    });
    shortenStop(world);
    const check = '--check "test ! -f slow || sleep 100; false"';
    const session = world.sessionOf(await world.type(`/ralph "never done" ${check}`));
    const again = await world.run({ prompt: 'and now?', resume: session });
    expect(again.stdout).toContain(`the last stop of loop ${world.onlyLoop().loop} was not judged`);
  });

  it('a check that outlasts the hook continues, the agent waits for it with its own tool, and its iteration counts once', async () => {
    const told: string[] = [];
    const world = await loopWorld('claude-code', ({ turn, news }) => {
      told.push(news);
      // As an agent would: the command is the one that it was told.
      const wait = /^.* wait \S+$/mu.exec(told[2] ?? '')?.[0] ?? 'false';
      switch (turn) {
        case 1:
          rmSync(door);
          return { write: { path: path.join(world.project, 'done.txt'), content: 'x' } };
        case 2:
          return { text: DONE };
        case 3:
          return { shell: `${wait} --timeout 300ms` };
        case 4:
          writeFileSync(door, '');
          return { shell: wait };
        default:
          return { text: 'I have waited.' };
      }
    });
    // Outside of the project, and open for the first look at the checks.
    const door = path.join(world.home, 'door');
    writeFileSync(door, '');
    const bin = path.join(world.home, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'tireless'), `#!/bin/sh\nexec node "${CLI}" "$@"\n`, { mode: 0o755 });
    const environment = { TIRELESS_HOOK_SECONDS: '3', PATH: `${bin}:${world.environment['PATH']}` };
    const check = `--check "while [ ! -f ${door} ]; do sleep 0.1; done; test -f done.txt"`;
    expectSuccess(await world.type(`/ralph "paint the shed" ${check} --claim DONE`, { environment }));
    expect(told[2]).toContain(`\ntireless wait ${world.onlyLoop().loop}\n`);
    expect(told[3]).toContain('still run');
    expect(told[4]).toContain('the checks are done');
    expect(told).toHaveLength(5);
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1, faults: 0, outcome: { verified: true } });
  });

  it('the same words again and again are each counted, although the transcript is written late', async () => {
    const world = await loopWorld('claude-code', () => ({ text: 'not yet' }));
    const result = await world.type('/ralph "never done" --max-iterations 15 --max-no-progress unlimited');
    expect(result.requests).toHaveLength(15);
    expect(world.onlyLoop()).toMatchObject({ status: 'halted', counted: 15, outcome: { guard: 'iterations-max' } });
  });
});
