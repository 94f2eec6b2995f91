import { describe, expect, it, vi } from 'vitest';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import type { Milestone } from '../core/milestones.ts';
import { newContinuation } from '../dialects/stravinsky/new-continuation.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import { onMilestone } from './on-milestone.ts';
import type { Control } from './ports.ts';

const FILE = '.stravinsky/continuation-loop.md';

function aRunningLoop(): {
  stop: (message: string) => void;
  control: Pick<Control, 'watch' | 'entries'>;
  loop: string;
} {
  const world = aDialectWorld(stravinsky);
  world.files.set(`/project/${FILE}`, newContinuation({ goal: 'Do it.', completionPromise: 'All done' }));
  world.stop(FILE, 'before anyone listens');
  return {
    stop: (message) => void world.stop(FILE, message),
    control: { watch: world.store.watch, entries: async (loop) => world.store.entries(loop) },
    loop: world.loop(FILE)?.state.loop ?? '',
  };
}

describe('a milestone listener', () => {
  it('hears of everything from now on, in order and once, until the end', async () => {
    const { stop, control, loop } = aRunningLoop();
    const told: Milestone[] = [];
    const failed = vi.fn<(error: unknown) => void>();
    onMilestone(control, loop, { notify: (milestone) => told.push(milestone), failed });
    await vi.waitFor(() => expect(told).toEqual([]));
    stop('one');
    stop('two');
    stop('All done');
    await vi.waitFor(() => expect(told.map(({ kind }) => kind)).toContain('ended'));
    expect(told.map((each) => (each.kind === 'iteration-counted' ? each.iteration : each.kind))).toEqual([
      2,
      3,
      4,
      'ended',
    ]);
    expect(failed).not.toHaveBeenCalled();
  });

  it('hears nothing any more once it is stopped', async () => {
    const { stop, control, loop } = aRunningLoop();
    const tell = vi.fn<(milestone: Milestone) => void>();
    const listening = onMilestone(control, loop, { notify: tell, failed: (error) => expect.fail(String(error)) });
    stop('one');
    await vi.waitFor(() => expect(tell).toHaveBeenCalledTimes(1));
    listening.stop();
    stop('two');
    await new Promise(setImmediate);
    expect(tell).toHaveBeenCalledTimes(1);
  });

  it('hears of the rest when it fails over one of several that come at once', async () => {
    const { stop, control, loop } = aRunningLoop();
    const failed = vi.fn<(error: unknown) => void>();
    const tell = vi.fn<(milestone: Milestone) => void>().mockImplementationOnce(() => {
      throw new Error('no pager');
    });
    onMilestone(control, loop, { notify: tell, failed });
    stop('one');
    stop('All done');
    await vi.waitFor(() => expect(tell.mock.lastCall?.[0].kind).toBe('ended'));
    expect(tell).toHaveBeenCalledTimes(3);
    expect(failed).toHaveBeenCalledTimes(1);
  });

  it('is notified when it failed, and continues', async () => {
    const { stop, control, loop } = aRunningLoop();
    const failed = vi.fn<(error: unknown) => void>();
    const tell = vi.fn<(milestone: Milestone) => void>().mockImplementationOnce(() => {
      throw new Error('no pager');
    });
    onMilestone(control, loop, { notify: tell, failed });
    stop('one');
    await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
    stop('two');
    await vi.waitFor(() => expect(tell).toHaveBeenCalledTimes(2));
  });
});
