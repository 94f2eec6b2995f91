// @ts-check
/**
 * What may happen to a recorded loop next: a few ways to its end, as events with their evidence, decided by the program that recorded the loop.
 * Used once, when a shape is recorded; the steps are kept with it, and later versions have to decide the same.
 */

/** @typedef {{ spec: any, state: any }} Loop */
/** @typedef {{ event: any, evidence: any }} Happening */
/** @typedef {Happening & { at: string, decision: any }} Step */

const STEPS_MAX = 14;
const UNLIMITED = Object.fromEntries(
  ['iterationsMax', 'durationMaxMs', 'costMaxUsd', 'tokensMax', 'faultsInRowMax', 'noProgressMax'].map((name) => [
    name,
    'unlimited',
  ]),
);

/** @param {any} core the built `core.js` @param {Loop} loop @param {any} clock of its last entry @returns {Record<string, Step[]>} */
export function driveOn(core, loop, clock) {
  return Object.fromEntries(
    Object.entries(WAYS).map(([name, way]) => {
      /** @type {Step[]} */
      const steps = [];
      let now = loop;
      let ms = 0;
      for (let index = 0; index < STEPS_MAX; index++) {
        const happening = index > 0 && isEnded(now.state) && name !== BESIDE ? null : way(now, index);
        if (happening === null) break;
        ms += 1000;
        const read = { ...clock, wallMs: clock.wallMs + ms, monotonicMs: clock.monotonicMs + ms };
        const evidence = { clock: read, ...happening.evidence };
        const { event } = happening;
        const at = new Date(read.wallMs).toISOString();
        const decision = core.decide(now.spec, now.state, event, evidence);
        steps.push({ at, event, evidence, decision });
        if (decision.kind === 'abstain') continue;
        now = core.foldEntry(now, { v: 1, revision: 0, prev: null, at, event, evidence, decision });
      }
      return [name, steps];
    }),
  );
}

const BESIDE = 'beside the turns';

/** @type {Record<string, (loop: Loop, index: number) => Happening | null>} */
const WAYS = {
  'to completion': (loop) => woken(loop) ?? turn(loop, done(loop)),
  'to a limit': (loop) => woken(loop) ?? turn(loop, undone(loop)),
  'through crashes': (loop) => woken(loop) ?? crash(loop),
  'through failures': (loop, index) => woken(loop) ?? failedTurn(loop, index),
  [BESIDE]: (loop, index) => WORDS[index]?.(loop) ?? null,
};

const isEnded = (/** @type {any} */ { status }) => ['completed', 'halted', 'cancelled'].includes(status);
const worker = { id: 'golden', machine: 'golden', boot: 'golden', pid: 1, startTime: '1' };
const holder = { holderAlive: false };

/** `null` = the agent is at work. A recorded halt stays. @param {Loop} loop @returns {Happening | null} */
function woken({ spec, state }) {
  const isOuter = (state.edits?.driver ?? spec.driver) === 'outer';
  if (isEnded(state)) {
    if (state.status !== 'halted') return { event: { kind: 'wait-ended' }, evidence: {} };
    return { event: { kind: 'resume-requested', limits: UNLIMITED }, evidence: holder };
  }
  if (state.status === 'paused') {
    const { request, cause } = state.pause;
    if (cause === 'approval' || cause === 'review')
      return { event: { kind: 'approval-given', request }, evidence: holder };
    return { event: { kind: 'resume-requested' }, evidence: holder };
  }
  if (isOuter && state.worker?.id !== worker.id) return { event: { kind: 'worker-leased', worker }, evidence: holder };
  if (state.status === 'pending') return { event: { kind: 'baseline-taken' }, evidence: undone({ spec, state }) };
  if (state.phase === 'ready' && (isOuter || spec.delivery === 'apart'))
    return { event: { kind: 'iteration-began', ...ofTurn({ spec, state }) }, evidence: {} };
  return null;
}

/** @param {Loop} loop */
function ofTurn({ spec, state }) {
  const isOuter = (state.edits?.driver ?? spec.driver) === 'outer';
  return { iteration: state.counted + 1, worker: isOuter ? (state.worker?.id ?? null) : null };
}

/** @param {Loop} loop @param {any} evidence @returns {Happening} */
const turn = (loop, evidence) => ({ event: { kind: 'turn-ended', ...ofTurn(loop) }, evidence });

/** @param {Loop} loop @returns {Happening} */
function crash(loop) {
  return (loop.state.edits?.driver ?? loop.spec.driver) === 'outer'
    ? { event: { kind: 'worker-leased', worker }, evidence: holder }
    : { event: { kind: 'session-resumed' }, evidence: {} };
}

/** @param {Loop} loop @param {number} index @returns {Happening} */
function failedTurn(loop, index) {
  const failure = { class: index % 2 === 0 ? 'transient' : 'unknown', detail: 'exit code 1: it broke' };
  return { event: { kind: 'turn-failed', failure, ...ofTurn(loop) }, evidence: {} };
}

/** @param {Loop} loop @param {'passed' | 'failed'} result */
const checksOf = ({ spec, state }, result) =>
  (state.edits?.checks ?? spec.checks).map((/** @type {any} */ { name }) => ({
    name,
    result,
    durationMs: 5,
    exitCode: result === 'passed' ? 0 : 1,
    tail: '',
  }));

/** @param {Loop} loop */
const done = (loop) => ({
  checks: checksOf(loop, 'passed'),
  criteriaMet: (loop.state.edits?.criteria ?? loop.spec.criteria).map((/** @type {any} */ { text }) => text),
  claim: { made: (loop.state.edits?.claim ?? loop.spec.claim).texts[0], blocked: null },
  usage: { costUsd: 0.1, tokens: 10 },
});

/** @param {Loop} loop */
const undone = (loop) => ({
  checks: checksOf(loop, 'failed'),
  criteriaMet: [],
  claim: { made: null, blocked: null },
  usage: { costUsd: 0.1, tokens: 10 },
});

/** What people and hosts do between the turns, wanted or not. @type {readonly ((loop: Loop) => Happening)[]} */
const WORDS = [
  () => ({ event: { kind: 'user-spoke' }, evidence: {} }),
  () => ({ event: { kind: 'steering-given', text: 'Mind the tests.' }, evidence: holder }),
  () => ({ event: { kind: 'pause-requested' }, evidence: holder }),
  () => ({ event: { kind: 'user-spoke' }, evidence: {} }),
  () => ({ event: { kind: 'approval-refused', request: 'finish', reason: 'not yet' }, evidence: holder }),
  () => ({ event: { kind: 'resume-requested', limits: { iterationsMax: 1000 } }, evidence: holder }),
  (loop) => ({ event: { kind: 'turn-aborted', ...ofTurn(loop) }, evidence: {} }),
  () => ({ event: { kind: 'session-resumed' }, evidence: {} }),
  () => ({ event: { kind: 'session-changed', session: { host: 'codex', id: 'other' } }, evidence: holder }),
  () => ({ event: { kind: 'goal-announced' }, evidence: {} }),
  () => ({
    event: { kind: 'driver-changed', agent: { kind: 'command', command: 'agent' } },
    evidence: holder,
  }),
  () => ({ event: { kind: 'worker-leased', worker }, evidence: holder }),
  () => ({ event: { kind: 'wait-ended' }, evidence: {} }),
  () => ({ event: { kind: 'cancel-requested' }, evidence: holder }),
];
