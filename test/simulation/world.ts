import type { Event } from '../../src/core/event.ts';
import type { CheckResult, ClockReading } from '../../src/core/evidence.ts';
import type { Entry } from '../../src/core/journal.ts';
import type { LoopId, Spec, Worker } from '../../src/core/loop.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { NO_FILES } from '../../src/engine/no-files.ts';
import type { EffectCall, Pipeline } from '../../src/engine/pipeline.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type {
  Effects,
  Handled,
  ProbeAnswer,
  ProbeBatch,
  ProbeRequest,
  Store,
  TurnReport,
} from '../../src/engine/ports.ts';
import { startLoop } from '../../src/engine/start-loop.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';

/** What the next probe will find. The commands of a run change it. */
type Answer = 'passed' | 'failed' | 'unknown' | 'still-running';
type Facts = { checks: Record<string, Answer>; workspace: string; message: string };

/** A pipeline in flight: it has requested something and waits. Any number of them interleave at every effect. */
type Flight = {
  readonly loop: LoopId;
  readonly event: Event;
  readonly pipeline: Pipeline<Handled>;
  call: EffectCall;
  commits: number;
  readonly worker: Worker | null;
};

type Landed = { readonly flight: Flight; readonly handled: Handled };

/** Production code in a simulated world: clock, probes, crashes and interleavings are ours; the engine and the core are real. */
export type World = {
  readonly store: Store;
  readonly facts: Facts;
  readonly dead: Set<string>;
  readonly flights: Flight[];
  readonly landed: Landed[];
  /** Kinds of decisions, conflicts and crashes that occurred in this life. */
  readonly met: Set<string>;
  clock: ClockReading;
  begin(loop: LoopId, event: Event, report: TurnReport, worker: Worker | null): void;
  /** One effect of one flight. `acknowledge: false` = the answer is lost: it may be committed, but nobody learns of it. */
  step(index: number): void;
  crash(index: number, duringEffect: boolean): void;
  start(loop: LoopId, spec: Spec, session: string | null): void;
  entries(loop: LoopId): readonly Entry[];
};

export function aWorld(): World {
  const store = openMemoryStore();
  const world: World = {
    store,
    facts: { checks: {}, workspace: 'w0', message: '' },
    dead: new Set(),
    flights: [],
    landed: [],
    met: new Set(),
    clock: { wallMs: 1_000_000, monotonicMs: 1_000_000, boot: 'boot-0' },
    begin(loop, event, report, worker) {
      const pipeline = handleEvent(loop, event, report);
      const first = pipeline.next();
      if (first.done !== true) world.flights.push({ loop, event, pipeline, call: first.value, commits: 0, worker });
    },
    step(index) {
      const flight = world.flights[index];
      if (flight === undefined) return;
      const answer = perform(effects, flight.call);
      if (flight.call.effect === 'commit' && isCommitted(answer)) flight.commits++;
      else if (flight.call.effect === 'commit') world.met.add('conflict');
      const next = flight.pipeline.next(answer);
      if (next.done === true) {
        world.flights.splice(index, 1);
        world.landed.push({ flight, handled: next.value });
        const { decision } = next.value;
        world.met.add(decision.kind);
        if (decision.kind === 'complete' && decision.verified) world.met.add('verified');
      } else {
        flight.call = next.value;
      }
    },
    crash(index, duringEffect) {
      const flight = world.flights[index];
      if (flight === undefined) return;
      world.met.add('crash');
      if (duringEffect) perform(effects, flight.call);
      world.flights.splice(index, 1);
      if (flight.worker !== null) world.dead.add(flight.worker.id);
      // The process died with everything it was doing.
      for (let other = world.flights.length - 1; other >= 0; other--) {
        if (flight.worker !== null && world.flights[other]?.worker?.id === flight.worker.id)
          world.flights.splice(other, 1);
      }
    },
    start(loop, spec, session) {
      const ref = session === null ? null : { host: 'sim', id: session };
      runSync(startLoop({ loop, spec, session: ref, cwd: '/project', machine: 'm' }), effects);
      if (ref !== null) store.bindSession(ref, loop);
    },
    entries: (loop) => store.entries(loop),
  };
  const effects: Effects = {
    ...NO_FILES,
    ...store,
    readClock: () => world.clock,
    probe: (batch) => answerAll(world, batch),
  };
  return world;
}

function perform(effects: Effects, call: EffectCall): unknown {
  const run = effects[call.effect] as (...input: readonly unknown[]) => unknown;
  return run(...call.input);
}

function isCommitted(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'committed';
}

function answerAll(world: World, batch: ProbeBatch): readonly ProbeAnswer[] {
  return batch.requests.map((request) => answerOne(world, request));
}

function answerOne(world: World, request: ProbeRequest): ProbeAnswer {
  switch (request.kind) {
    case 'check': {
      const result: CheckResult = {
        name: request.check.name,
        ...answerOf(world.facts.checks[request.check.name] ?? 'failed'),
        durationMs: 1,
        tail: '',
        fingerprint: world.facts.workspace,
      };
      return { kind: 'check', result };
    }
    case 'workspace':
      return { kind: 'workspace', fingerprint: world.facts.workspace };
    case 'protected':
      return { kind: 'protected', facts: { hash: 'h', changed: [] } };
    case 'criteria':
      return { kind: 'criteria', met: [] };
    case 'holder':
      return { kind: 'holder', alive: !world.dead.has(request.worker.id), seen: null };
    case 'room-copy':
    case 'room-baseline':
    case 'room':
    case 'work':
      throw new Error('these loops have no clean room');
  }
}

function answerOf(said: Answer): Pick<CheckResult, 'result' | 'unknown'> {
  return said === 'still-running' ? { result: 'unknown', unknown: said } : { result: said };
}
