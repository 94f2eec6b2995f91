/** What an API error does to a loop in the real client, as a person sees it: in a terminal. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/setup/fake-model/script.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import type { Terminal } from '../support/tmux.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const WAIT = { timeout: 240_000, interval: 100 };
const CHECK = '--check "test -f done.txt"';
const BROKEN: Answer = { status: 500 };
/** Of no class that is waited out. */
const REFUSED: Answer = { status: 400, message: 'what' };

/** Only who has a subscription is told when its limit ends. */
const SUBSCRIBED = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake-token-of-the-agent-tests' };

type Sitting = { readonly world: LoopWorld; readonly terminal: Terminal };

/** `answer`: to the request of this number, from 1; the client tries each failed one once more by itself. */
async function sit(
  answer: (asked: number, world: LoopWorld) => Answer,
  environment: Readonly<Record<string, string>> = {},
): Promise<Sitting> {
  let asked = 0;
  const world: LoopWorld = await loopWorld('claude-code', () => {
    asked += 1;
    return answer(asked, world);
  });
  const terminal = openTerminal(world, { environment });
  await terminal.shows(/❯/u);
  return { world, terminal };
}

function finish({ project }: LoopWorld): void {
  writeFileSync(path.join(project, 'done.txt'), '');
}

/** What is on the screen is the only word about why a loop did not get there. */
async function isLoop({ world, terminal }: Sitting, like: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await expect.poll(() => world.loops(), WAIT).toMatchObject([like]);
  } catch (error) {
    throw new Error(`the loop did not get there; on the screen:\n${terminal.screen()}`, { cause: error });
  }
}

const [client] = hostsToTry(['claude-code']);
const why = client?.absent ?? noTerminal();

describe.skipIf(why !== null)(
  `an API error in a terminal of claude-code${why === null ? '' : ` (SKIPPED: ${why})`}`,
  () => {
    it('does not end the loop: the agent is brought back by itself, and the time between is not counted', async () => {
      const sitting = await sit((asked, world) => {
        if (asked === 2 || asked === 3) return BROKEN;
        if (asked > 3) finish(world);
        return { text: `part ${asked} of it` };
      });
      await sitting.terminal.say(`/ralph "paint the shed" ${CHECK}`);
      await isLoop(sitting, { status: 'completed', counted: 2, faults: 0 });
      expect(sitting.world.model.requests).toHaveLength(4);
      expect(sitting.world.model.requests[3]?.news).toContain('runs again');
    });

    it('halts after three in a row, and the next prompt shows it with the way to continue', async () => {
      const sitting = await sit((asked) => (asked === 1 ? { text: 'not yet' } : REFUSED));
      await sitting.terminal.say(`/ralph "paint the shed" ${CHECK}`);
      await isLoop(sitting, { status: 'halted', counted: 1, faults: 3, outcome: { guard: 'faults-in-row' } });
      const { loop } = sitting.world.onlyLoop();
      await sitting.terminal.rests();
      await sitting.terminal.say('what now?');
      await sitting.terminal.shows(/tireless: halted: 3 agent faults/u);
      await sitting.terminal.shows(`/ralph --resume ${loop}`);
      expect(sitting.world.tireless('status', loop).stdout).toContain('halted: 3 agent faults');
    });

    it('of a usage limit parks the loop until it ends, and the agent continues without a fault', async () => {
      const resetMs = (Math.floor(Date.now() / 60_000) + 2) * 60_000;
      const headers = {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(resetMs / 1000),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      };
      const limited: Answer = { status: 429, message: 'This request would exceed your rate limit.', headers };
      const sitting = await sit((asked, world) => {
        if (asked > 1 && Date.now() < resetMs) return limited;
        if (asked > 1) finish(world);
        return { text: `part ${asked} of it` };
      }, SUBSCRIBED);
      await sitting.terminal.say(`/ralph "paint the shed" ${CHECK}`);
      await isLoop(sitting, { status: 'paused', counted: 1, faults: 0, pause: { cause: 'usage-limit' } });
      await expect.poll(() => Date.now(), { timeout: 150_000, interval: 1000 }).toBeGreaterThan(resetMs);
      await isLoop(sitting, { status: 'completed', counted: 2, faults: 0 });
    }, 600_000);

    it('of nobody: after Esc and a while away no running time has passed', async () => {
      const sitting = await sit((asked, world) => {
        if (asked === 2) return { hang: true };
        if (asked > 2) finish(world);
        return { text: `part ${asked} of it` };
      });
      const { world, terminal } = sitting;
      await terminal.say(`/ralph "paint the shed" ${CHECK} --max-duration 60s`);
      await expect.poll(() => world.model.requests.length, WAIT).toBe(2);
      terminal.press('Escape');
      await terminal.shows(/[Ii]nterrupted/u);
      const leftMs = Date.now();
      await expect.poll(() => Date.now() - leftMs, { timeout: 60_000, interval: 500 }).toBeGreaterThan(30_000);
      await terminal.say('go on');
      await isLoop(sitting, { status: 'completed' });
      expect(world.onlyLoop().runningMs).toBeLessThan(30_000);
    });
  },
);
