/** What a loop leaves alone in the real client: the loop of another session, the user's own commands, and the loop of another tool. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld, shownTo } from '../support/host-suite.ts';

const WAIT = { timeout: 30_000, interval: 100 };
const CHECK = '--check "test -f done.txt"';
const [client] = hostsToTry(['claude-code']);

function gate(): { readonly isOpen: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open: () => open() };
}

/** What a plugin of this kind does: a file in the project, and a stop hook that sends the agent back while the file is there. */
function addOtherLoop({ project, home }: LoopWorld): void {
  const file = path.join(project, '.claude/ralph-loop.local.md');
  const script = `const fs = require('node:fs'); if (fs.existsSync(${JSON.stringify(file)})) console.log(JSON.stringify({ decision: 'block', reason: 'the other loop says: again' }));`;
  writeFileSync(path.join(home, 'other-loop.cjs'), script);
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: `node ${path.join(home, 'other-loop.cjs')}` }] }] };
  mkdirSync(path.join(project, '.claude'), { recursive: true });
  writeFileSync(path.join(project, '.claude/settings.json'), JSON.stringify({ hooks }));
}

describe.skipIf(client?.absent !== null)(`beside a loop in ${client?.title}`, () => {
  it('a second session cannot take it while its agent works, unless the user insists; then the first is notified', async () => {
    const held = gate();
    const world = await loopWorld('claude-code', async ({ lane, turn }) => {
      if (lane === 'other') {
        writeFileSync(path.join(world.project, 'done.txt'), '');
        return { text: 'It is painted.' };
      }
      if (turn === 2) await held.isOpen;
      return { text: `part ${turn}` };
    });
    const first = world.start({ prompt: `/ralph "paint the shed" ${CHECK}` });
    await expect.poll(() => world.model.requests.length, WAIT).toBe(2);
    const { loop, session } = world.onlyLoop();
    const refused = await world.run({ prompt: '/ralph --resume', lane: 'other' });
    expect(refused.stdout).toMatch(/active \d+ seconds? ago in another session/u);
    expect(refused.stdout).toContain(`/ralph --resume ${loop} --force`);
    expect(refused.requests).toEqual([]);
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 1, session, faults: 0 });
    await world.run({ prompt: `/ralph --resume ${loop} --force`, lane: 'other' });
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2, faults: 0, outcome: { verified: true } });
    held.open();
    const ended = await first.done;
    expect(ended.stdout).toContain(`loop ${loop} (paint the shed) was taken to the session`);
    expect(world.tireless('explain', loop).stdout).toContain('The user took the loop with --force from the session');
  });

  it('takes it without a word when the program of its session is gone', async () => {
    const world = await loopWorld('claude-code', ({ lane, turn }) => {
      if (lane === 'other') writeFileSync(path.join(world.project, 'done.txt'), '');
      return lane !== 'other' && turn === 2 ? { hang: true } : { text: 'not yet' };
    });
    const first = world.start({ prompt: `/ralph "paint the shed" ${CHECK}` });
    await expect.poll(() => world.model.requests.length, WAIT).toBe(2);
    first.kill('SIGKILL');
    await first.done;
    await world.run({ prompt: '/ralph --resume', lane: 'other' });
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2, outcome: { verified: true } });
  });

  it('a /ralph that is refused is no answer to an agent that is blocked; a message is', async () => {
    const world = await loopWorld('claude-code', ({ turn }) => {
      if (turn === 1) return { text: 'I need the colour.\n<blocked>which colour?</blocked>' };
      writeFileSync(path.join(world.project, 'done.txt'), '');
      return { text: 'It is painted.' };
    });
    const resume = world.sessionOf(await world.run({ prompt: `/ralph "paint the shed" ${CHECK}` }));
    const paused = { status: 'paused', pause: { question: 'which colour?' } };
    expect(world.onlyLoop()).toMatchObject(paused);
    const refused = await world.run({ prompt: '/ralph "mow the lawn"', resume });
    expect([refused.requests, world.onlyLoop()]).toMatchObject([[], paused]);
    expect(refused.stdout).toContain('already');
    const answered = await world.run({ prompt: 'blue', resume });
    expect(answered.requests).toHaveLength(1);
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', outcome: { verified: true } });
  });

  it("the user's own /ralph stays theirs, ours has another name, and a loop without checks is said to be one", async () => {
    const files = { 'package.json': '{"scripts":{"test":"node --test"}}' };
    const world = await loopWorld('claude-code', () => ({ text: 'x\n<promise>DONE</promise>' }), {}, files);
    writeFileSync(path.join(world.home, '.claude/commands/ralph.md'), 'Sing: $ARGUMENTS\n');
    const own = await world.run({ prompt: '/ralph a song' });
    expect(world.loops()).toEqual([]);
    expect(shownTo(own)).toContain('Sing: a song');
    world.tireless('install', 'claude-code', '--user', '--yes');
    const ours = await world.run({ prompt: '/tireless-ralph "paint the shed"' });
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', outcome: { verified: false } });
    expect(ours.stdout).toContain('no checks: this loop ends when the agent says so');
    expect(ours.stdout).toContain('/tireless-ralph --check \\"npm test\\" \\"paint the shed\\"');
  });

  it("a project's own /ralph is run although Claude Code expands ours of the user", async () => {
    const world = await loopWorld('claude-code', () => ({ text: 'la la' }));
    const file = path.join(world.project, '.claude/commands/ralph.md');
    mkdirSync(path.dirname(file), { recursive: true });
    mkdirSync(path.join(world.project, 'inner'));
    writeFileSync(file, '---\ndescription: mine\n---\n\nSing: $ARGUMENTS\n');
    for (const cwd of [world.project, path.join(world.project, 'inner')]) {
      const own = await world.run({ prompt: '/ralph a song', cwd });
      expect(world.loops()).toEqual([]);
      expect(shownTo(own)).toContain('Sing: a song');
      expect(own.stdout).toContain('/ralph is your own command here');
    }
    expect(world.tireless('install', 'claude-code', '--user', '--yes').stdout).toContain("this project's own command");
    await world.run({ prompt: '/tireless-ralph "paint the shed" --max-iterations 1' });
    expect(world.onlyLoop()).toMatchObject({ counted: 1 });
  });

  it('a loop of another tool (a stand-in for the ralph plugin) that begins later is reported, once', async () => {
    const world = await loopWorld('claude-code', ({ turn }) => {
      if (turn === 2)
        return {
          write: {
            path: path.join(world.project, '.claude/ralph-loop.local.md'),
            content: '---\nactive: true\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\n---\n\nsing\n',
          },
        };
      return { text: `part ${turn}` };
    });
    addOtherLoop(world);
    const result = await world.run({
      prompt: `/ralph "paint the shed" ${CHECK} --max-iterations 3 --max-no-progress unlimited`,
      args: ['--max-turns', '8'],
    });
    expect(result.stdout.split('also keeps this session going, beside loop')).toHaveLength(2);
    expect(shownTo(result)).toContain('the other loop says: again');
    expect(world.onlyLoop()).toMatchObject({ status: 'halted', counted: 3 });
  });
});
