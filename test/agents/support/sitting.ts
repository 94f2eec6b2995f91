import { expect } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import type { LoopWorld } from './host-suite.ts';
import { loopWorld } from './host-suite.ts';
import type { Terminal } from './tmux.ts';
import { openTerminal } from './tmux.ts';

/** A person in front of a client. */
export type Sitting = { readonly world: LoopWorld; readonly terminal: Terminal };

const WAIT = { timeout: 60_000, interval: 100 };
/** What a client shows when it accepts a line. */
const READY: Partial<Record<HostId, string | RegExp>> = {
  // What is typed before its settings are read waits.
  qwen: /git:/u,
  copilot: '? help',
  opencode: 'Ask anything',
  pi: 'fake-model',
  droid: '? for help',
};

/** `prepare`: runs on the machine after the install and before the client starts. */
export async function sitDown(
  host: HostId,
  script: Script,
  prepare: (world: LoopWorld) => void = () => undefined,
): Promise<Sitting> {
  const world = await loopWorld(host, script);
  prepare(world);
  const terminal = openTerminal(world);
  if (host === 'droid') {
    await terminal.shows('Trust this folder?');
    terminal.press('Enter');
  }
  await terminal.shows(READY[host] ?? /./u);
  await terminal.rests();
  return { world, terminal };
}

export async function asked({ world, terminal }: Sitting, times: number): Promise<void> {
  try {
    await expect.poll(() => world.model.requests.length, WAIT).toBe(times);
  } catch (error) {
    throw new Error(`the model was not asked ${times} times; on the screen:\n${terminal.screen()}`, { cause: error });
  }
}

/** Shows the screen if it fails: nothing else explains why a loop did not get there. */
export async function isLoop({ world, terminal }: Sitting, like: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await expect.poll(() => world.loops(), WAIT).toMatchObject([like]);
  } catch (error) {
    throw new Error(`the loop did not get there; on the screen:\n${terminal.screen()}`, { cause: error });
  }
}
