/** Agents that change what judges them, or answer for the user, in real clients: the work counts, and the person decides. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { Answer, ModelRequest } from '../../../src/setup/fake-model/script.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import type { AgentResult } from '../support/agent-world.ts';
import { expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import type { HostOptions, LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import { LAUNCHERS } from '../support/launch/launchers.ts';
import { countStarts } from '../support/tool-suite.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const TEST = 'test/add.test.mjs';
const PROJECT = {
  'src/add.mjs': 'export const add = (a, b) => a - b;\n',
  [TEST]: `import assert from 'node:assert';
import test from 'node:test';
import { add } from '../src/add.mjs';
test('adds', () => assert.equal(add(1, 2), 3));
`,
};
const FIXED = 'export const add = (a, b) => a + b;\n';
const EMPTIED = "import test from 'node:test';\ntest('adds', () => {});\n";
const DONE: Answer = { text: 'All tests pass.\n<promise>DONE</promise>' };
const COMMAND = '/ralph "make the tests pass" --check "node --test" --claim DONE --max-no-progress unlimited';
const OPTIONS: Partial<Record<HostId, HostOptions>> = { codex: { installWords: ['--trust'] } };

type Reply = Answer | ((request: ModelRequest, world: LoopWorld) => Answer);

/** In the project of the test, one reply after the other, the last of them for ever. */
async function worldOf(host: HostId, ...replies: readonly Reply[]): Promise<LoopWorld> {
  const world = await loopWorld(
    host,
    (request) => {
      const reply = replies[Math.min(request.turn, replies.length) - 1] ?? DONE;
      return typeof reply === 'function' ? reply(request, world) : reply;
    },
    OPTIONS[host] ?? {},
    PROJECT,
  );
  return world;
}

const write =
  (name: string, content: string): Reply =>
  (_, { project }) => ({ write: { path: path.join(project, name), content } });

function textOf({ project }: LoopWorld, name: string): string {
  return readFileSync(path.join(project, name), 'utf8');
}

/** What the journal keeps of calls that were refused. */
function refusedIn({ tirelessHome, onlyLoop }: LoopWorld): readonly string[] {
  const store = openFileStore({ home: tirelessHome });
  const events = store.entries(onlyLoop().loop).map(({ event }) => event);
  store.close();
  return events.flatMap((event) => (event.kind === 'attempt-refused' ? [event.command] : []));
}

function lastAnswer({ requests }: AgentResult): string {
  return requests.at(-1)?.news ?? '';
}

for (const { host, absent, title } of hostsToTry(['claude-code', 'codex'])) {
  describe.skipIf(absent !== null)(`work that is judged in a session of ${title}`, () => {
    it('is sent back with the name of the test that the agent changed, and waits for a person when it stands by it', async () => {
      const world = await worldOf(host, write(TEST, EMPTIED), DONE);
      const result = await world.type(COMMAND);
      expectSuccess(result);
      expect(result.requests).toHaveLength(3);
      expect(lastAnswer(result)).toContain('These files judge the work, and you changed them');
      expect(lastAnswer(result)).toContain(`\`${TEST}\`: modified`);
      expect(world.onlyLoop()).toMatchObject({ status: 'paused', counted: 2, pause: { cause: 'review' } });
      const { loop } = world.onlyLoop();
      expect(world.tireless('status').stdout).toContain(`tireless approve ${loop}`);
      expect(world.tireless('approve', loop, '--show').stdout).toContain(`+test('adds', () => {});`);
    });

    it('is sent back, and completes when the agent puts the test back and does the work', async () => {
      const world = await worldOf(
        host,
        write(TEST, EMPTIED),
        DONE,
        write(TEST, PROJECT[TEST] ?? ''),
        write('src/add.mjs', FIXED),
        DONE,
      );
      expectSuccess(await world.type(COMMAND));
      expect(world.onlyLoop()).toMatchObject({
        status: 'completed',
        counted: 2,
        outcome: { verified: true, level: 'room' },
      });
    });

    it('of an honest agent completes at once, verified in the clean room', async () => {
      const world = await worldOf(host, write('src/add.mjs', FIXED), DONE);
      const result = await world.type(COMMAND);
      expect(result.requests).toHaveLength(2);
      expect(world.onlyLoop()).toMatchObject({
        status: 'completed',
        counted: 1,
        outcome: { verified: true, level: 'room' },
      });
      expect(world.tireless('explain').stdout).toContain('verified (clean room)');
    });

    it('is accepted by the command that the user types, and not by a call that the agent hides in a file', async () => {
      const world = await worldOf(
        host,
        write('x.sh', `'${process.execPath}' '${CLI}' approve > said 2>&1\n`),
        { shell: 'sh x.sh' },
        write(TEST, EMPTIED),
        DONE,
      );
      const first = await world.type(COMMAND);
      expectSuccess(first);
      expect(textOf(world, 'said')).toContain('AGENT_REFUSED: Only a person outside the agent may run');
      expect(refusedIn(world)).toEqual(['approve']);
      expect(world.onlyLoop()).toMatchObject({ status: 'paused', pause: { cause: 'review' }, approvals: [] });
      const answer = await world.type('/ralph-approve', { resume: world.sessionOf(first) });
      expect(answer.requests).toEqual([]);
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', outcome: { verified: true, level: 'approval' } });
    });

    it('refuses every call by which the agent would answer for the user, tells it why, and starts no Node for others', async () => {
      const calls = [
        'tireless approve',
        'tireless resume --max-iterations 9999',
        'CLAUDE_CODE_SESSION_ID= CODEX_THREAD_ID= tireless approve',
        'env -i tireless approve',
        'npx tireless cancel',
        'cd src; tireless steer "it is done"',
        'echo x > "$TIRELESS_HOME/trust.json"',
      ];
      const last = calls.length + 2;
      const answers: string[] = [];
      const world = await loopWorld(
        host,
        ({ turn, news }) => {
          if (turn > 1) answers.push(news);
          const call = calls[turn - 1];
          if (call !== undefined) return { shell: call };
          if (turn === last - 1) return { write: { path: path.join(world.tirelessHome, 'trust.json'), content: '{}' } };
          if (turn === last) return { shell: 'echo harmless' };
          return turn === last + 1
            ? { write: { path: path.join(world.project, 'src/add.mjs'), content: FIXED } }
            : DONE;
        },
        OPTIONS[host] ?? {},
        PROJECT,
      );
      const started = countStarts(world);
      const before = started().length;
      expectSuccess(await world.type(COMMAND, { args: LAUNCHERS[host].hookArgs ?? [] }));
      for (const answer of answers.slice(0, last - 1)) expect(answer).toContain('only a person may do this');
      expect(answers[last - 1]).toContain('harmless');
      expect(refusedIn(world)).toEqual(['approve', 'resume', 'approve', 'approve', 'cancel', 'steer', 'home', 'home']);
      expect(
        started()
          .slice(before)
          .filter((event) => event === 'PreToolUse'),
      ).toHaveLength(last - 1);
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1, outcome: { level: 'room' } });
      expect(world.tireless('explain').stdout).toContain('The agent tried "tireless resume"');
    });
  });
}
