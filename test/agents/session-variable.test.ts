/** Which variables name the session to a command of the agent: those of `agentVariables`, in every real client, and the command line knows the agent by them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import { agentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import type { HostOptions } from './support/host-suite.ts';
import { loopWorld } from './support/host-suite.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const OPTIONS: Partial<Record<HostId, HostOptions>> = { codex: { installWords: ['--trust'] } };

for (const { host, absent, title } of hostsToTry()) {
  const { agentVariables = [] } = HOSTS[host].capabilities;
  describe.skipIf(absent !== null)(`a command that ${title} runs for its agent`, () => {
    it(`sees the session in ${agentVariables.join(' and ') || 'no variable'}`, async () => {
      const world = await agentWorld(host, ({ turn }) =>
        turn === 1 ? { shell: `env -0 > ${path.join(world.project, 'seen')}` } : { text: 'done' },
      );
      const result = await world.run({ prompt: 'look around' });
      const seen = path.join(world.project, 'seen');
      const naming = readFileSync(seen, 'utf8')
        .split('\0')
        .filter((line) => line.endsWith(`=${world.sessionOf(result)}`))
        .map((line) => line.slice(0, line.indexOf('=')));
      expect(naming.toSorted()).toEqual(agentVariables.toSorted());
    });

    it.skipIf(agentVariables.length === 0)(
      `is refused what is for people, also where no word of the call gives it away${agentVariables.length === 0 ? ' (SKIPPED: no variable names the session)' : ''}`,
      async () => {
        const content = `'${process.execPath}' '${CLI}' resume --max-iterations 9999 > said 2>&1\n`;
        const world = await loopWorld(
          host,
          ({ turn }) =>
            [{ write: { path: path.join(world.project, 'x.sh'), content } }, { shell: 'sh x.sh' }][turn - 1] ?? {
              text: 'x\n<promise>DONE</promise>',
            },
          OPTIONS[host] ?? {},
        );
        await world.type('/ralph "paint the shed"');
        expect(readFileSync(path.join(world.project, 'said'), 'utf8')).toContain('AGENT_REFUSED');
        expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1, attemptsRefused: 1 });
      },
    );
  });
}
