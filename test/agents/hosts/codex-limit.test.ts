/** The usage limit of Codex, of which it tells no hook. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';

const [client] = hostsToTry(['codex']);

describe.skipIf(client?.absent !== null)(`a usage limit of ${client?.title}`, () => {
  it('leaves the loop running, and "resume" names the command that continues outside with the same counters', async () => {
    let asked = 0;
    const world = await loopWorld(
      'codex',
      () => {
        asked += 1;
        if (asked === 2) return { status: 429, message: 'You have hit your usage limit.' };
        return asked === 4
          ? { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }
          : { text: `${asked}` };
      },
      { installWords: ['--trust'] },
    );
    const result = await world.type('/ralph "paint the shed" --check "test -f done.txt"');
    expect(result.exitCode).not.toBe(0);
    expect(result.stdout).toContain('429');
    const { loop } = world.onlyLoop();
    // Nobody told of the failure.
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 1, faults: 0, session: { host: 'codex' } });

    const stays = world.tireless('resume', loop);
    expect(stays).toMatchObject({ exitCode: 1, stdout: '' });
    const [, command = ''] = /tireless (resume \S+ --agent \w+)/u.exec(stays.stderr) ?? [];
    expect(command).toBe(`resume ${loop} --agent codex`);
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 1, session: { host: 'codex' } });

    const resumed = await world.tirelessWithAgents(...command.split(' '));
    expectSuccess(resumed);
    expect(resumed.requests[0]?.news).toContain('This is iteration 2 of a loop on the goal below.');
    expect(world.onlyLoop()).toMatchObject({
      loop,
      status: 'completed',
      counted: 3,
      session: null,
      outcome: { verified: true },
    });
  });
});
