/** The goal that Codex itself pursues, beside a loop of ours. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';

const [client] = hostsToTry(['codex']);
const OPTIONS = { installWords: ['--trust'] };
const CHECK = '--check "test -f done.txt"';

describe.skipIf(client?.absent !== null)(`the native goal of ${client?.title}`, () => {
  it('is refereed: "complete" is refused while the check fails, and believed once it passes', async () => {
    const complete = { tool: 'update_goal', args: { status: 'complete' } };
    const world = await loopWorld(
      'codex',
      ({ turn }) =>
        [
          { tool: 'create_goal', args: { objective: 'paint the shed' } },
          complete,
          { write: { path: path.join(world.project, 'done.txt'), content: 'x' } },
          complete,
        ][turn - 1] ?? { text: 'it is painted' },
      OPTIONS,
    );
    const result = await world.type(`/ralph "paint the shed" ${CHECK} --observe`);
    const [, , refused, , believed] = result.requests;
    expect(refused?.news).toContain('The goal is not complete: the work was checked.');
    expect(refused?.news).toContain('test -f done.txt');
    expect(believed?.news).toContain('"status":"complete"');
    expect(result.requests).toHaveLength(5);
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', outcome: { verified: true } });
  });

  it('keeps a loop from being started beside it, unless the loop only watches', async () => {
    const world = await loopWorld(
      'codex',
      ({ turn }) =>
        turn === 1 ? { tool: 'create_goal', args: { objective: 'paint the shed' } } : { text: `part ${turn}` },
      OPTIONS,
    );
    const first = await world.run({ prompt: 'begin' });
    const resume = world.sessionOf(first);
    await world.type('/ralph "paint the shed"', { resume });
    expect(world.loops()).toEqual([]);
    await world.type('/ralph "paint the shed" --observe', { resume });
    expect(world.loops()).toHaveLength(1);
  });
});

describe.skipIf(client?.absent !== null)(`a compaction in ${client?.title}`, () => {
  it('is followed by the goal and the open checks, said again', async () => {
    const world = await loopWorld(
      'codex',
      ({ turn }) => {
        if (turn === 1) return { text: 'not yet' };
        // So many tokens that the client compacts before it goes on.
        if (turn === 2) return { shell: 'true', usage: { input: 257_000, output: 10, cached: 0 } };
        if (turn === 3) return { write: { path: path.join(world.project, 'done.txt'), content: 'x' } };
        return { text: 'it is painted' };
      },
      OPTIONS,
    );
    const result = await world.type(`/ralph "paint the shed" ${CHECK} --max-iterations 4`);
    const [, before, after] = result.requests;
    // What our prompts said is gone; the hook says it again.
    expect(after?.messages.length).toBeLessThan(before?.messages.length ?? 0);
    expect(after?.news).toContain('This is iteration 2 of a loop on the goal below.');
    expect(after?.news).toContain('The check `test -f done.txt` fails');
    expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2 });
  });
});
