import fc from 'fast-check';
import { expect } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import type { LoopId, Spec, Worker } from '../../src/core/loop.ts';
import { isEnded } from '../../src/core/loop.ts';
import { aCheck, aSpec } from '../support/a-loop.ts';
import { holdInvariants } from './invariants.ts';
import type { World } from './world.ts';
import { aWorld } from './world.ts';

type Command =
  | {
      readonly op: 'post';
      readonly loop: number;
      readonly what: number;
      readonly worker: number;
      readonly stale: boolean;
    }
  | { readonly op: 'step'; readonly which: number; readonly times: number }
  | { readonly op: 'crash'; readonly which: number; readonly during: boolean }
  | { readonly op: 'clock'; readonly wall: number; readonly monotonic: number; readonly reboot: boolean }
  | {
      readonly op: 'world';
      readonly check: number;
      readonly result: 'passed' | 'failed' | 'unknown' | 'still-running';
      readonly message: string;
    };

const CHECKS = ['unit', 'lint'];
const MESSAGES = [
  '',
  'working',
  '<promise>DONE</promise>',
  'I will not say <promise>DONE</promise> yet',
  '<blocked>no key</blocked>',
  'more words than before about it',
];

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('post' as const),
      loop: fc.nat(2),
      what: fc.nat(99),
      worker: fc.nat(2),
      stale: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('step' as const),
      which: fc.nat(9),
      times: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('crash' as const), which: fc.nat(9), during: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('clock' as const),
      wall: fc.integer({ min: -1e7, max: 1e7 }),
      monotonic: fc.nat(1e6),
      reboot: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('world' as const),
      check: fc.nat(1),
      result: fc.constantFrom('passed' as const, 'failed' as const, 'unknown' as const, 'still-running' as const),
      message: fc.constantFrom(...MESSAGES),
    }),
  },
);

const specs: fc.Arbitrary<Spec> = fc
  .record({
    checks: fc.subarray(CHECKS),
    iterationsMax: fc.integer({ min: 1, max: 6 }),
    noProgressMax: fc.constantFrom(3 as const, 'unlimited' as const),
    claimRequired: fc.boolean(),
    session: fc.boolean(),
    minutes: fc.integer({ min: 1, max: 600 }),
  })
  .map(({ checks, iterationsMax, noProgressMax, claimRequired, session, minutes }) => {
    const base = aSpec({
      checks: checks.map((name) => aCheck(name)),
      claimRequired,
      driver: session ? 'session' : 'outer',
    });
    return { ...base, limits: { ...base.limits, iterationsMax, noProgressMax, durationMaxMs: minutes * 60_000 } };
  });

const lives = fc.record({
  asked: fc.tuple(specs, specs, specs),
  /** Most lives get past their beginning, because more can go wrong later. */
  isBegun: fc.boolean(),
  script: fc.array(commands, { minLength: 10, maxLength: 90 }),
  workGetsDone: fc.boolean(),
});

/** What must have occurred for a run of hundreds of lives to be meaningful. */
const MUST_BE_MET = [
  'continue',
  'complete',
  'halt',
  'pause',
  'cancel',
  'record',
  'abstain',
  'conflict',
  'crash',
  'verified',
  'refuse',
];

/** Everything random comes from fast-check, so that a failing run shrinks and its seed repeats it. */
export function simulate(runs: number): void {
  const met = new Set<string>();
  fc.assert(
    fc.property(lives, ({ asked, isBegun, script, workGetsDone }) => {
      const world = aWorld();
      const loops = new Map<LoopId, Spec>();
      asked.forEach((spec, index) => {
        loops.set(`loop-${index}`, spec);
        world.start(`loop-${index}`, spec, spec.driver === 'session' ? `session-${index}` : null);
      });
      for (const loop of isBegun ? loops.keys() : []) world.begin(loop, { kind: 'baseline-taken' }, {}, null);
      while (world.flights.length > 0) world.step(0);
      script.forEach((command, index) => obey(world, loops, command, index));
      while (world.flights.length > 0) world.step(0);
      holdInvariants(world, loops);
      if (workGetsDone)
        Object.assign(world.facts, { checks: { unit: 'passed', lint: 'passed' }, message: MESSAGES[2] });
      else Object.assign(world.facts, { checks: {}, message: 'nothing new' });
      for (const loop of loops.keys()) driveToTheEnd(world, loop);
      holdInvariants(world, loops);
      world.met.forEach((what) => met.add(what));
    }),
    { numRuns: runs },
  );
  expect(MUST_BE_MET.filter((what) => !met.has(what))).toEqual([]);
}

function obey(world: World, loops: ReadonlyMap<LoopId, Spec>, command: Command, index: number): void {
  switch (command.op) {
    case 'post': {
      const loop = `loop-${command.loop}`;
      if (loops.has(loop)) post(world, { loop, command, index });
      return;
    }
    case 'step':
      for (let time = 0; time < command.times && world.flights.length > 0; time++)
        world.step((command.which + time) % world.flights.length);
      return;
    case 'crash':
      if (world.flights.length > 0) world.crash(command.which % world.flights.length, command.during);
      return;
    case 'clock':
      world.clock = {
        wallMs: Math.max(0, world.clock.wallMs + command.wall),
        monotonicMs: command.reboot ? 0 : world.clock.monotonicMs + command.monotonic,
        boot: command.reboot ? `boot-${index}` : world.clock.boot,
      };
      return;
    case 'world':
      world.facts.checks[CHECKS[command.check] ?? 'unit'] = command.result;
      world.facts.message = command.message;
      world.facts.workspace = `w${index % 5}`;
  }
}

type Posting = {
  readonly loop: LoopId;
  readonly command: Command & { op: 'post' };
  readonly index: number;
};

function post(world: World, { loop, command, index }: Posting): void {
  const worker = aWorker(`w${command.worker}-${[...world.dead].length}`);
  const { spec, state } = world.store.load(loop) ?? {};
  const isSession = spec?.driver === 'session';
  const holder = isSession ? null : command.stale ? worker.id : (state?.worker?.id ?? worker.id);
  const iteration = isSession ? null : (state?.counted ?? 0) + 1;
  const mark = isSession
    ? {
        mark: {
          messageHash: `${loop}:${command.stale ? 'same' : index}`,
          ...(command.what % 2 === 0 ? { transcriptBytes: command.stale ? 1 : index } : {}),
        },
      }
    : {};
  const events: readonly Event[] = [
    { kind: 'baseline-taken' },
    { kind: 'worker-leased', worker },
    { kind: 'iteration-began', iteration: iteration ?? 1, worker: holder },
    { kind: 'turn-ended', iteration, worker: holder, ...mark },
    { kind: 'goal-announced' },
    { kind: 'session-left' },
    { kind: 'user-spoke' },
    { kind: 'session-resumed' },
    { kind: 'turn-ended', iteration, worker: holder, ...mark },
    {
      kind: 'turn-failed',
      iteration,
      worker: holder,
      failure: {
        class: (['transient', 'fatal', 'unknown', 'usage-limit'] as const)[command.what % 4] ?? 'unknown',
        detail: 'x',
        resumeAt: world.clock.wallMs + 1000,
      },
    },
    { kind: 'turn-aborted', iteration, worker: holder },
    { kind: 'pause-requested' },
    { kind: 'resume-requested' },
    { kind: 'steering-given', text: `note ${index}` },
    { kind: 'attempt-refused', command: 'approve' },
    { kind: 'wait-ended' },
    { kind: 'worker-released', worker: holder ?? 'nobody' },
    { kind: 'approval-given', request: 'finish' },
    ...(command.what === 97 ? [{ kind: 'driver-changed', agent: { kind: 'command', command: 'x' } } as const] : []),
    ...(command.what === 98 ? [{ kind: 'cancel-requested' } as const] : []),
  ];
  const event = events[command.what % events.length];
  if (event === undefined) return;
  const beganMs = world.clock.monotonicMs;
  const report = {
    message: world.facts.message,
    // Some reports cannot say when they began.
    ...(isSession && command.what % 3 !== 0 ? { beganMs: () => beganMs } : {}),
    backgroundWork: command.what % 11 === 0,
    usage: { costUsd: 0.1, tokens: 10 },
    ...(command.what % 7 === 0 ? { repliesInRowMax: 2 } : {}),
    ...(command.what % 5 === 0 ? { newRow: true as const } : {}),
    ...(command.what % 13 === 0 ? { contextFull: true } : {}),
  };
  world.begin(loop, event, report, isSession ? null : worker);
}

/** From wherever chaos left it, an honest driver brings every loop to an end within its limits. */
function driveToTheEnd(world: World, loop: LoopId): void {
  const worker = aWorker('final');
  const send = (event: Event): void => {
    world.begin(loop, event, { message: world.facts.message, usage: { costUsd: 0, tokens: 1 } }, worker);
    while (world.flights.length > 0) world.step(0);
  };
  for (let round = 0; round < 60; round++) {
    const loaded = world.store.load(loop);
    if (loaded === undefined) throw new Error('a started loop is there');
    const { spec, state } = loaded;
    if (isEnded(state)) return;
    const isSession = spec.driver === 'session';
    const of = { iteration: isSession ? null : state.counted + 1, worker: isSession ? null : worker.id };
    if (!isSession && state.worker?.id !== worker.id) {
      if (state.worker !== null) world.dead.add(state.worker.id);
      send({ kind: 'worker-leased', worker });
    } else if (state.status === 'pending') send({ kind: 'baseline-taken' });
    else if (state.status === 'paused')
      send({
        kind:
          state.limits.iterationsMax !== 'unlimited' && state.counted >= state.limits.iterationsMax
            ? 'cancel-requested'
            : 'resume-requested',
      });
    else if (state.phase === 'ready')
      send({ kind: 'iteration-began', iteration: state.counted + 1, worker: of.worker });
    else
      send({
        kind: 'turn-ended',
        ...of,
        ...(isSession ? { mark: { messageHash: `${loop}:end`, transcriptBytes: round } } : {}),
      });
    if (state.status === 'paused' && world.store.load(loop)?.state.status === 'paused')
      send({ kind: 'cancel-requested' });
  }
  throw new Error(`${loop} does not end`);
}

function aWorker(id: string): Worker {
  return { id, machine: 'm', boot: 'boot-0', pid: 1, startTime: '1' };
}
