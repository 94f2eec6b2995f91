/** What only Gemini CLI does: it forgets on request, and its own loop detector answers in the place of the model. */
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';

const [client] = hostsToTry(['gemini']);
const WORDS = ['amber', 'birch', 'cobalt', 'daisy', 'ember', 'fjord', 'grove', 'hazel'];

describe.skipIf(client?.absent !== null)(`the context of ${client?.title}`, () => {
  it('is left behind when a loop stands still, and the goal is said again', async () => {
    const world = await loopWorld('gemini', ({ turn }) => ({ text: `${WORDS[turn]} `.repeat(turn + 3) }));
    const result = await world.type('/ralph "never done" --max-no-progress 3');
    expect(world.onlyLoop()).toMatchObject({ status: 'halted', outcome: { guard: 'no-progress' } });
    const fresh = result.requests.findIndex(
      ({ messages }, index) => index > 0 && messages.every(({ role }) => role !== 'assistant'),
    );
    expect(fresh).toBeGreaterThan(0);
    expect(result.requests[fresh]?.news).toContain('first find out why the open points stay open');
    expect(result.requests[fresh]?.news).toContain('never done');
  });

  it('repeats itself only as long as the loop allows', async () => {
    const world = await loopWorld('gemini', () => ({ text: 'I will look at the file again.' }));
    const result = await world.type('/ralph "never done"');
    // Once something new, and three times nothing.
    expect(world.onlyLoop()).toMatchObject({ status: 'halted', counted: 4, outcome: { guard: 'no-progress' } });
    expect(result.requests).toHaveLength(4);
  });

  it('ends a turn by itself where it sees a loop; no stop is counted without the model, and the loop is kept', async () => {
    const world = await loopWorld('gemini', () => ({ text: 'I will look at the file again. '.repeat(8) }));
    const result = await world.type('/ralph "never done" --max-iterations 60 --max-no-progress 60');
    expect(result.stdout).toContain('Loop detected');
    // It broke off the answer in which it saw the loop, asked once more by itself, and broke that off too.
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: result.requests.length - 2 });
    expect(world.tireless('status').stdout).toContain(world.onlyLoop().loop);
  });
});
