// @ts-check
import {
  decide,
  foldEntry,
  initialState,
  advance,
  replay,
  DEFAULT_LIMITS,
  DEFAULT_TIMING,
  NATIVE_CLAIM,
} from '../dist/core.js';
import { interleaved, median, print, timed } from './measure.mjs';

/** Decisions per second, and how the cost of a replay grows with its journal. */
export async function benchCore() {
  const { spec, entries } = aJournal(10_000);
  decisionsPerSecond(spec, entries);
  const sizes = [100, 1000, 10_000];
  const rows = await interleaved(
    sizes.map((size) => ({
      name: `replay of ${size} entries`,
      run: () => timed(() => replay(entries.slice(0, size))),
    })),
    { rounds: 9, warmUp: 2 },
  );
  print('Replay: ten times the journal should cost about ten times', rows);
}

/** @param {any} spec @param {readonly any[]} entries */
function decisionsPerSecond(spec, entries) {
  const turn = entries.findLast((entry) => entry.event.kind === 'turn-ended');
  let loop = null;
  for (const entry of entries.slice(0, turn.revision - 1)) loop = foldEntry(loop, entry);
  const state = /** @type {any} */ (loop).state;
  const rates = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    for (let index = 0; index < 50_000; index++) decide(spec, state, turn.event, turn.evidence);
    rates.push(50_000 / ((performance.now() - start) / 1000));
  }
  console.log(`\ndecide: ${Math.round(median(rates)).toLocaleString('en')} decisions per second`);
}

/** An honest outer loop of red turns, made by the core itself. @param {number} length */
export function aJournal(length) {
  const spec = /** @type {any} */ ({
    version: 1,
    goal: 'g',
    driver: 'outer',
    claim: NATIVE_CLAIM,
    claimRequired: false,
    checks: [{ name: 'unit', probe: { kind: 'command', command: 'false' }, timeoutMs: 1000, holdout: false }],
    checksInOrder: false,
    criteria: [],
    protect: [],
    limits: { ...DEFAULT_LIMITS, iterationsMax: 'unlimited', durationMaxMs: 'unlimited', noProgressMax: 'unlimited' },
    timing: DEFAULT_TIMING,
    approveFinish: false,
  });
  const clock = (/** @type {number} */ ms) => ({ wallMs: Date.UTC(2026, 0, 1) + ms, monotonicMs: ms, boot: 'b' });
  const worker = { id: 'w', machine: 'm', boot: 'b', pid: 1, startTime: '1' };
  const started = /** @type {any} */ ({ kind: 'loop-started', loop: 'l', spec, session: null, cwd: '/', machine: 'm' });
  const at = '2026-01-01T00:00:00.000Z';
  /** @type {any[]} */
  const entries = [
    { v: 1, revision: 1, prev: null, at, event: started, evidence: { clock: clock(0) }, decision: { kind: 'record' } },
  ];
  let state = initialState(started, { clock: clock(0) }, at);
  const red = {
    name: 'unit',
    result: 'failed',
    durationMs: 10,
    tail: 'not ok 1 - adds\n'.repeat(20),
    exitCode: 1,
    fingerprint: 'abcd',
  };
  while (entries.length < length) {
    const revision = entries.length + 1;
    const iteration = state.counted + 1;
    const event = /** @type {any} */ (
      state.worker === null
        ? { kind: 'worker-leased', worker }
        : state.status === 'pending'
          ? { kind: 'baseline-taken' }
          : state.phase === 'ready'
            ? { kind: 'iteration-began', iteration, worker: 'w' }
            : { kind: 'turn-ended', iteration, worker: 'w' }
    );
    const evidence = /** @type {any} */ ({
      clock: clock(revision),
      checks: [red],
      workspace: `w${revision}`,
      message: { preview: 'still at it', bytes: 11, sketch: [revision % 97, 3, 5] },
    });
    const decision = decide(spec, state, event, evidence);
    entries.push({ v: 1, revision, prev: 'x', at, event, evidence, decision });
    state = advance(spec, state, { event, evidence, decision, at });
  }
  return { spec, entries };
}
