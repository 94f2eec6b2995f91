/** Claude Code's own `/goal` believes what it reads. Beside it a loop is refused, or watches, or goes on by its own checks. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld, shownTo } from '../support/host-suite.ts';

const CHECK = '--check "test -f done.txt"';
const GOAL = '/goal the shed is painted';

/** What the client wrote about its goal, in order: is it met? */
function goalsOf({ home }: LoopWorld): readonly unknown[] {
  const folder = path.join(home, '.claude/projects');
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"type":"goal_status"'))
    .map((line) => (JSON.parse(line) as { attachment?: { met?: boolean } }).attachment?.met);
}

const [client] = hostsToTry(['claude-code']);

describe.skipIf(client?.absent !== null)(`the goal of ${client?.title} itself`, () => {
  it('refuses a loop beside it without asking the model; with --observe the loop watches and sends nobody back', async () => {
    let failing = true;
    const world = await loopWorld('claude-code', () =>
      failing ? { status: 400, message: 'The request is not valid.' } : { text: 'It is painted, I think.' },
    );
    // An error leaves the goal set.
    const session = world.sessionOf(await world.run({ prompt: GOAL }));
    expect(goalsOf(world)).toEqual([false]);
    failing = false;
    const refused = await world.run({ prompt: `/ralph "paint the shed" ${CHECK}`, resume: session });
    expect(refused.requests).toEqual([]);
    expect(refused.stdout).toContain('a goal of Claude Code itself (/goal)');
    expect(world.loops()).toEqual([]);
    const watched = await world.run({ prompt: `/ralph "paint the shed" ${CHECK} --observe`, resume: session });
    expect(watched.requests).toHaveLength(1);
    expect(goalsOf(world).at(-1)).toBe(true);
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 1 });
  });

  it('is met as soon as its judge believes it, and the loop beside it continues until its check passes', async () => {
    let failing = true;
    let asks = 0;
    const world = await loopWorld('claude-code', () => {
      if (failing) return { status: 400, message: 'The request is not valid.' };
      asks++;
      if (asks === 3) writeFileSync(path.join(world.project, 'done.txt'), '');
      return { text: `It is painted, I think (${asks}).` };
    });
    const session = world.sessionOf(await world.run({ prompt: `/ralph "paint the shed" ${CHECK}` }));
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 0 });
    failing = false;
    const result = await world.run({ prompt: GOAL, resume: session });
    expect(goalsOf(world)).toEqual([false, true]);
    expect(result.requests).toHaveLength(3);
    expect(shownTo(result)).toContain('test -f done.txt');
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 3, outcome: { verified: true } });
  });
});
