import type { CheckAnswer, ClockReading } from '../../src/core/evidence.ts';
import type { Entry } from '../../src/core/journal.ts';
import type { Spec, State, Worker } from '../../src/core/loop.ts';
import { embeddedControl } from '../../src/engine/control.ts';
import type { Agent, Control, ProbeAnswer, ProbeRequest, Store } from '../../src/engine/ports.ts';
import { newId } from '../../src/system/ids.ts';
import { driveLoop } from '../../src/runner/drive-loop.ts';
import type { DriveEnd, DriveOptions, ProgressUpdate } from '../../src/runner/drive-context.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';
import type { MemoryStoreOptions } from '../../src/stores/memory-store.ts';
import type { Clock } from '../../src/system/clock.ts';
import type { InterruptSignal } from '../../src/system/signals.ts';
import { aResult, aSpec } from './a-loop.ts';

/** Unique to this process: a driver that takes over kills every process on the machine that carries its loop's id. */
export const LOOP: string = `driven-${process.pid}-${newId()}`;

export type World = {
  readonly clock: Clock;
  readonly spec?: Partial<Spec>;
  readonly check?: (name: string) => CheckAnswer | Promise<CheckAnswer>;
  /** By default every look finds new work, so that nothing stalls unless a test wants it to. */
  readonly workspace?: () => string;
  readonly isAlive?: (worker: Worker) => boolean;
  readonly store?: MemoryStoreOptions;
};

export type Stage = {
  readonly store: Store;
  readonly control: Control;
  readonly heartbeat: (reading: ClockReading) => void;
  readonly state: () => State;
  readonly entries: () => readonly Entry[];
  readonly events: () => readonly string[];
};

/** A loop in memory, started and not yet driven. */
export async function aStage(world: World): Promise<Stage> {
  const store = openMemoryStore(world.store);
  let looks = 0;
  let seen: ClockReading | null = null;
  const answer = async (request: ProbeRequest): Promise<ProbeAnswer> => {
    switch (request.kind) {
      case 'check':
        return {
          kind: 'check',
          result: aResult(request.check.name, (await world.check?.(request.check.name)) ?? 'failed'),
        };
      case 'workspace':
        return { kind: 'workspace', fingerprint: world.workspace?.() ?? `look-${(looks += 1)}` };
      case 'protected':
        return { kind: 'protected', facts: { hash: '', changed: [] } };
      case 'criteria':
        return { kind: 'criteria', met: [] };
      case 'holder':
        return { kind: 'holder', alive: world.isAlive?.(request.worker) ?? true, seen };
      case 'room-copy':
      case 'room-baseline':
      case 'room':
      case 'work':
        throw new Error('these loops have no clean room');
    }
  };
  const control = embeddedControl(store, {
    readClock: world.clock.read,
    probe: (batch) => Promise.all(batch.requests.map(answer)),
  });
  await control.start({ loop: LOOP, spec: aSpec(world.spec), session: null, cwd: '/project', machine: 'a-machine' });
  const load = (): State => {
    const state = store.load(LOOP)?.state;
    if (state === undefined) throw new Error('the loop is gone');
    return state;
  };
  return {
    store,
    control,
    heartbeat: (reading) => void (seen = reading),
    state: load,
    entries: () => store.entries(LOOP),
    events: () => store.entries(LOOP).map((entry) => entry.event.kind),
  };
}

export function aWorker(id = 'worker-1'): Worker {
  return { id, machine: 'a-machine', boot: 'a-boot', pid: 4242, startTime: '1' };
}

export type Driver = {
  readonly end: Promise<DriveEnd>;
  readonly updates: readonly ProgressUpdate[];
  readonly beats: () => number;
  /** Ctrl-C. */
  readonly interrupt: (signal?: InterruptSignal) => void;
  readonly listeners: () => number;
};

export function aDriver(
  stage: Pick<Stage, 'control' | 'heartbeat'>,
  clock: Clock,
  agent: Agent,
  options: Partial<DriveOptions> = {},
): Driver {
  const updates: ProgressUpdate[] = [];
  const handlers = new Set<(signal?: InterruptSignal) => void>();
  let beats = 0;
  const end = driveLoop({
    control: stage.control,
    loop: LOOP,
    agent,
    clock,
    worker: aWorker(),
    heartbeat: (reading) => {
      beats += 1;
      stage.heartbeat(reading);
    },
    activity: () => undefined,
    onProgress: (update) => void updates.push(update),
    interrupts: {
      onInterrupt: (handler) => {
        handlers.add(handler);
        return () => handlers.delete(handler);
      },
    },
    waitForUsageLimit: true,
    projectExists: () => true,
    ...options,
  });
  return {
    end,
    updates,
    beats: () => beats,
    interrupt: (signal) => {
      for (const handler of handlers) handler(signal);
    },
    listeners: () => handlers.size,
  };
}
