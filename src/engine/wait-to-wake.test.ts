import { describe, expect, it, vi } from 'vitest';
import { aSpec } from '../../test/support/a-loop.ts';
import type { Event } from '../core/event.ts';
import type { Spec } from '../core/loop.ts';
import { embeddedControl } from './control.ts';
import type { Control, Loaded } from './ports.ts';
import { openMemoryStore } from '../stores/memory-store.ts';
import { waitToWake } from './wait-to-wake.ts';

const session = { host: 'claude-code', id: 's1' };
const transient: Event = {
  kind: 'turn-failed',
  failure: { class: 'transient', detail: 'overloaded' },
  iteration: null,
  worker: null,
};
const limited: Event = { ...transient, failure: { class: 'usage-limit', detail: 'limit', resumeAt: 3_600_000 } };

type Waiting = {
  readonly control: Control;
  readonly failed: Loaded;
  /** Its time, and how long the wait has slept. */
  readonly nowMs: () => number;
  /** `during`: what happens while it sleeps for the first time. */
  readonly wait: (during?: () => unknown, isClientAlive?: () => boolean) => Promise<string | null>;
};

async function aFailedTurn(
  failure: Event,
  spec: Partial<Spec> = {},
  bytes: (nowMs: number) => number | null = () => null,
): Promise<Waiting> {
  let now = 0;
  const store = openMemoryStore();
  const control = embeddedControl(store, {
    readClock: () => ({ wallMs: now, monotonicMs: now, boot: 'b' }),
    probe: ({ requests }) => requests.map(() => ({ kind: 'workspace', fingerprint: null })),
  });
  await control.start({ loop: 'a', spec: aSpec({ driver: 'session', ...spec }), session, cwd: '/p', machine: 'm' });
  await control.post('a', { kind: 'baseline-taken' });
  const { loaded: failed } = await control.post('a', failure, { unseen: true });
  if (failed === undefined) throw new Error('the failure was not written down');
  const wait: Waiting['wait'] = async (during = () => undefined, isClientAlive = () => true) => {
    let slept = 0;
    const sleep = async (ms: number): Promise<void> => {
      if (slept++ === 0) await during();
      now += ms;
    };
    return waitToWake(failed, { control, nowMs: () => now, sleep, isClientAlive, transcriptBytes: () => bytes(now) });
  };
  return { control, failed, nowMs: () => now, wait };
}

describe('a process that waits to wake an agent', () => {
  it('wakes it after the backoff, with the prompt of the same iteration, and moves the journal first', async () => {
    const { wait, control, nowMs } = await aFailedTurn(transient);
    expect(await wait()).toContain('This iteration runs again');
    expect(nowMs()).toBe(3750);
    expect((await control.entries('a')).at(-1)?.event).toEqual({ kind: 'wait-ended' });
    expect((await control.get('a'))?.state).not.toHaveProperty('resting');
  });

  it('waits for the end of a usage limit and a while for the host, and continues the loop without a fault', async () => {
    const { wait, control, nowMs } = await aFailedTurn(limited);
    expect(await wait()).toContain('runs again');
    expect(nowMs()).toBe(3_780_000);
    expect((await control.get('a'))?.state).toMatchObject({ status: 'running', faults: 0, counted: 0, runningMs: 0 });
  });

  it('leaves an agent alone that its host continued after the limit, and takes note', async () => {
    const { wait, control } = await aFailedTurn(limited, {}, (nowMs) => (nowMs > 3_700_000 ? 900 : 100));
    const post = vi.spyOn(control, 'post');
    expect(await wait()).toBeNull();
    expect(post.mock.calls).toEqual([['a', { kind: 'wait-ended', because: 'agent-works' }, { unseen: true }]]);
    expect((await control.get('a'))?.state.status).toBe('running');
  });

  it('is one of two: the other leaves the agent alone', async () => {
    const { wait } = await aFailedTurn(transient);
    const woken = await Promise.all([wait(), wait()]);
    expect(woken.filter((prompt) => prompt !== null)).toHaveLength(1);
  });

  it.each<Event>([
    { kind: 'cancel-requested' },
    { kind: 'pause-requested' },
    { kind: 'user-spoke' },
    { kind: 'session-left' },
    { kind: 'session-changed', session: { host: 'claude-code', id: 's2' } },
    { kind: 'driver-changed', agent: { kind: 'command', command: 'x' } },
    transient,
  ])('leaves it alone after $kind', async (event) => {
    for (const failure of [transient, limited]) {
      const { wait, control } = await aFailedTurn(failure);
      // The second failure of a loop that is paused is nobody's.
      if (event === transient && failure === limited) continue;
      expect(await wait(() => control.post('a', event))).toBeNull();
    }
  });

  it('keeps waiting when somebody steers the loop', async () => {
    const { wait, control } = await aFailedTurn(transient);
    expect(await wait(() => control.post('a', { kind: 'steering-given', text: 'be quick' }))).not.toBeNull();
  });

  it('ends with the client', async () => {
    const { wait, nowMs } = await aFailedTurn(limited);
    let isAlive = true;
    expect(
      await wait(
        () => (isAlive = false),
        () => isAlive,
      ),
    ).toBeNull();
    expect(nowMs()).toBeLessThanOrEqual(2000);
  });

  it('wakes nobody where the loop only watches, or has halted', async () => {
    expect(await (await aFailedTurn(transient, { observe: true })).wait()).toBeNull();
    expect(await (await aFailedTurn({ ...transient, failure: { class: 'fatal', detail: 'key' } })).wait()).toBeNull();
  });
});
