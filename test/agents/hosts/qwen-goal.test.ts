/** The goal that Qwen Code itself pursues, beside a loop of ours. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';

const [client] = hostsToTry(['qwen']);
const CHECK = '--check "test -f done.txt"';
const GOAL = '/goal the shed is painted';

describe.skipIf(client?.absent !== null)(`the native goal of ${client?.title}`, () => {
  it('keeps a loop from being started beside it while it is active, unless the loop only watches', async () => {
    let isHanging = true;
    const world = await loopWorld('qwen', () => (isHanging ? { hang: true } : { text: 'It is painted, I think.' }));
    const first = world.start({ prompt: GOAL });
    await expect.poll(() => world.model.requests.length, { timeout: 60_000, interval: 100 }).toBe(1);
    // A goal that was going on when its program was killed is active still.
    first.kill('SIGKILL');
    const resume = world.sessionOf(await first.done);
    isHanging = false;
    await world.type(`/ralph "paint the shed" ${CHECK}`, { resume });
    expect(world.loops()).toEqual([]);
    await world.type(`/ralph "paint the shed" ${CHECK} --observe`, { resume });
    expect(world.loops()).toHaveLength(1);
  });

  it('is noticed when it begins after a loop, and the user is notified once', async () => {
    let failing = true;
    const world = await loopWorld('qwen', () => (failing ? { status: 400 } : { text: 'It is painted, I think.' }));
    const resume = world.sessionOf(await world.type(`/ralph "paint the shed" ${CHECK} --max-iterations 3`));
    failing = false;
    const { loop } = world.onlyLoop();
    await world.run({ prompt: GOAL, resume });
    const notes = readdirSync(path.join(world.tirelessHome, 'loops', loop)).filter((name) => name.startsWith('noted-'));
    expect(notes).toHaveLength(1);
  });
});
