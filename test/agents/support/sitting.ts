import { expect } from 'vitest';
import type { LoopWorld } from './host-suite.ts';
import type { Terminal } from './tmux.ts';

/** A person in front of a client. */
export type Sitting = { readonly world: LoopWorld; readonly terminal: Terminal };

const WAIT = { timeout: 60_000, interval: 100 };

/** What is on the screen is the only word about why a loop did not get there. */
export async function isLoop({ world, terminal }: Sitting, like: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await expect.poll(() => world.loops(), WAIT).toMatchObject([like]);
  } catch (error) {
    throw new Error(`the loop did not get there; on the screen:\n${terminal.screen()}`, { cause: error });
  }
}
