import { describe, expect, it } from 'vitest';
import { aSpec } from '../../test/support/a-loop.ts';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import type { Event, Failure, SessionEvent } from '../core/event.ts';
import { assert } from '../core/fault.ts';
import { promptOf, promptWithHistory } from '../core/prompt.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import { handleEvent } from './handle-event.ts';
import { runSync } from './pipeline.ts';
import type { Effects } from './ports.ts';
import type { SessionAnswer } from './session-event.ts';
import { findSessionLoop, handleSessionEvent } from './session-event.ts';
import { withUserFirst } from './session-talk.ts';
import { startLoop } from './start-loop.ts';

const session = { host: 'claude-code', id: 's' };

/** Whoever armed it was killed before the baseline was taken. */
function aPendingLoop(spec = aSpec({ driver: 'session' })): Effects {
  const world = aDialectWorld(stravinsky).effects;
  const effects = { ...world, loopOfSession: () => 'armed' };
  runSync(startLoop({ loop: 'armed', spec, session, cwd: '/project', machine: 'm' }), effects);
  return effects;
}

/** In its second iteration. */
function anArmedLoop(): Effects {
  const effects = aPendingLoop();
  runSync(handleEvent('armed', { kind: 'baseline-taken' }), effects);
  runSync(handleEvent('armed', { kind: 'turn-ended', iteration: null, worker: null }, { message: 'no' }), effects);
  return effects;
}

function spoken(effects: Effects, prompt: string): SessionAnswer {
  return happened(effects, { kind: 'prompt-submitted', prompt });
}

function happened(effects: Effects, event: Event | SessionEvent): SessionAnswer {
  const happening = { session, event, report: {} };
  const loaded = runSync(findSessionLoop(happening), effects);
  assert(loaded !== undefined, 'the loop is armed');
  return runSync(handleSessionEvent(happening, loaded), effects);
}

it.each([
  '[tireless:2] As another version says it.',
  'This is iteration 2 of a loop on the goal below. As the first did.',
])('a prompt that a host hands back is nobody who speaks, whatever its sentences are: %s', (prompt) => {
  const effects = anArmedLoop();
  const { loaded, ...answer } = spoken(effects, prompt);
  expect(answer).toEqual({ kind: 'silent' });
  expect(loaded.head.revision).toBe(3);
  expect(spoken(effects, prompt.replace('2', '1'))).toMatchObject({ kind: 'refuse' });
  expect(spoken(effects, `Look: ${prompt}`)).toMatchObject({ kind: 'context', decision: { kind: 'record' } });
});

describe('a loop that was armed and never begun', () => {
  it.each<[string, SessionEvent, boolean]>([
    ['the user writes', { kind: 'prompt-submitted', prompt: 'hello' }, true],
    ['the session comes back', { kind: 'session-started', how: 'returned' }, false],
  ])('begins when %s, with its prompt as context', (_name, event, isUserFirst) => {
    const answer = happened(aPendingLoop(), event);
    const { spec, state } = answer.loaded;
    const prompt = promptOf(spec, state);
    expect(state).toMatchObject({ status: 'running', counted: 0 });
    expect(answer).toMatchObject({ kind: 'context', text: isUserFirst ? withUserFirst(prompt) : prompt });
  });

  it('begins with its prompt when a turn ends, and says nothing if it only watches', () => {
    const ended = { kind: 'turn-ended', iteration: null, worker: null } as const;
    const { loaded, ...answer } = happened(aPendingLoop(), ended);
    expect(answer).toMatchObject({ kind: 'go-on', prompt: promptOf(loaded.spec, loaded.state) });
    const watching = aPendingLoop(aSpec({ driver: 'session', observe: true }));
    expect(happened(watching, ended)).toMatchObject({ kind: 'silent', loaded: { state: { status: 'running' } } });
  });
});

it('what the user typed behind a prompt that a host hands back goes first', () => {
  const effects = anArmedLoop();
  const loaded = effects.load('armed');
  assert(loaded !== undefined, 'the loop is armed');
  const ours = promptOf(loaded.spec, loaded.state);
  expect(spoken(effects, `${ours}\n`)).toMatchObject({ kind: 'silent' });
  expect(spoken(effects, `${ours}\n\n\nmake it green`)).toMatchObject({
    kind: 'context',
    decision: { kind: 'record' },
  });
});

it('a notice of the host, and the start of a new session, are nobody who speaks', () => {
  const effects = anArmedLoop();
  const notice = { kind: 'prompt-submitted', prompt: 'a task is done', byHost: true } as const;
  for (const event of [notice, { kind: 'session-started', how: 'new' }] as const) {
    const { loaded, ...answer } = happened(effects, event);
    expect(answer).toEqual({ kind: 'silent' });
    expect(loaded.head.revision).toBe(3);
  }
  expect(happened(effects, { kind: 'session-started', how: 'compacted' })).toMatchObject({ kind: 'context' });
});

describe('a message from a terminal for a loop in a session', () => {
  const blocked = { kind: 'turn-ended', iteration: null, worker: null } as const;
  const steered = { kind: 'steering-given', text: 'use port 8080' } as const;

  it.each([
    ['of a blocked loop that was resumed', true],
    ['while the agent works', false],
  ])('reaches the agent with what the user writes next: %s', (_name, isBlocked) => {
    const effects = anArmedLoop();
    if (isBlocked) runSync(handleEvent('armed', blocked, { message: '<blocked>which port?</blocked>' }), effects);
    runSync(handleEvent('armed', steered, { noReply: true }), effects);
    if (isBlocked) runSync(handleEvent('armed', { kind: 'resume-requested' }, { noReply: true, rests: true }), effects);
    expect(effects.load('armed')?.state.resting !== undefined).toBe(isBlocked);
    const first = spoken(effects, 'continue');
    expect(first).toMatchObject({
      kind: 'context',
      loaded: { state: { steering: [], steeringSent: ['use port 8080'] } },
    });
    expect(first).toHaveProperty('text', expect.stringContaining('use port 8080'));
    expect(spoken(effects, 'and be quick')).toHaveProperty('text', expect.not.stringContaining('use port 8080'));
    expect(happened(effects, blocked)).toHaveProperty('prompt', expect.not.stringContaining('use port 8080'));
  });
});

it('a loop judges what the agent tells a goal of the host', () => {
  const request = { kind: 'tool-requested', tool: 'any', input: {} } as const;
  expect(happened(anArmedLoop(), request)).not.toHaveProperty('decision');
  expect(happened(anArmedLoop(), { ...request, saysGoalMet: true })).toHaveProperty('decision');
});

it('an answer to a blocked agent gives it the prompt of its iteration again', () => {
  const effects = anArmedLoop();
  const blocked = { kind: 'turn-ended', iteration: null, worker: null } as const;
  runSync(handleEvent('armed', blocked, { message: '<blocked>Which database?</blocked>' }), effects);
  const { loaded, ...answer } = spoken(effects, 'Postgres');
  expect(loaded.state).toMatchObject({ status: 'running', plan: { rerun: false } });
  expect(answer).toMatchObject({ kind: 'context', text: withUserFirst(promptWithHistory(loaded.spec, loaded.state)) });
});

it.each<[string, SessionEvent]>([
  ['the user writes', { kind: 'prompt-submitted', prompt: 'please go on' }],
  ['the session comes back', { kind: 'session-started', how: 'returned' }],
  ['the session ends', { kind: 'session-ended' }],
])('without any sign of the agent, the time since its last event is not counted when %s', (_name, event) => {
  const effects = anArmedLoop();
  const before = effects.load('armed')?.state.runningMs;
  const clock = effects.readClock();
  const later = { ...clock, wallMs: clock.wallMs + 75_000, monotonicMs: clock.monotonicMs + 75_000 };
  const { loaded } = happened({ ...effects, readClock: () => later }, event);
  expect(loaded.state).toMatchObject({ status: 'running', runningMs: before });
});

describe('a turn that failed and that no hook reported', () => {
  const AWAY_MS = 75_000;
  const OUTAGE: Failure = { class: 'transient', detail: '500 boom' };
  const UNKNOWN: Failure = { class: 'unknown', detail: 'what' };
  const REFUSED: Failure = { class: 'fatal', detail: '401 Unauthorized' };
  const WRITES: SessionEvent = { kind: 'prompt-submitted', prompt: 'please go on' };

  /** It failed a second after the last entry, and the event comes long after. */
  function failedBefore(effects: Effects, event: SessionEvent, failure: Failure, afterMs = 1000): SessionAnswer {
    const before = effects.load('armed')?.state;
    assert(before !== undefined, 'the loop is armed');
    const clock = effects.readClock();
    const later = { ...clock, wallMs: clock.wallMs + AWAY_MS, monotonicMs: clock.monotonicMs + AWAY_MS };
    const failedTurn = { atMs: Date.parse(before.updatedAt) + afterMs, failure };
    const idleMs = (): number => AWAY_MS - afterMs;
    const happening = { session, event, report: { failedTurn, idleMs } };
    const loaded = runSync(findSessionLoop(happening), effects);
    assert(loaded !== undefined, 'the loop is armed');
    return runSync(handleSessionEvent(happening, loaded), { ...effects, readClock: () => later });
  }

  it.each<[string, SessionEvent]>([
    ['the user writes', WRITES],
    ['the session comes back', { kind: 'session-started', how: 'returned' }],
  ])('is recorded once when %s, and the time since is not counted', (_name, event) => {
    const effects = anArmedLoop();
    const before = effects.load('armed')?.state.runningMs ?? 0;
    const answer = failedBefore(effects, event, UNKNOWN);
    expect(answer).toMatchObject({ kind: 'context', late: { failure: UNKNOWN } });
    expect(answer.loaded.state).toMatchObject({ status: 'running', counted: 1, faults: 1, plan: { rerun: true } });
    expect(answer.loaded.state.runningMs - before).toBeLessThanOrEqual(1000);
    expect(answer.loaded.state.resting).toBeUndefined();
  });

  it('is recorded when the session ends, by a host that killed the hook for it', () => {
    const { loaded } = failedBefore(anArmedLoop(), { kind: 'session-ended' }, UNKNOWN);
    expect(loaded.state).toMatchObject({ status: 'running', faults: 1, sessionLeft: true, plan: { rerun: true } });
  });

  it('is shown at the next prompt when it paused the loop as the session ended', () => {
    const limit: Failure = { class: 'usage-limit', detail: 'limit', resumeAt: 9e12 };
    const { loaded } = failedBefore(anArmedLoop(), { kind: 'session-ended' }, limit);
    expect(loaded.state).toMatchObject({ status: 'paused', unseen: true });
  });

  it('is waited out like any other outage, and of an older one nothing is recorded', () => {
    expect(failedBefore(anArmedLoop(), WRITES, OUTAGE).loaded.state).toMatchObject({ faults: 0, waitedOutInRow: 1 });
    const old = failedBefore(anArmedLoop(), WRITES, OUTAGE, 0);
    expect(old).not.toHaveProperty('late');
    expect(old.loaded.state).not.toHaveProperty('waitedOutInRow');
  });

  it('counts as a fault when it looks hopeless, since whoever writes has seen it; three in a row halt the loop', () => {
    const effects = anArmedLoop();
    expect(failedBefore(effects, WRITES, REFUSED).loaded.state).toMatchObject({ status: 'running', faults: 1 });
    failedBefore(effects, WRITES, REFUSED);
    const last = failedBefore(effects, WRITES, REFUSED);
    expect(last).toMatchObject({ kind: 'silent', late: { decision: { kind: 'halt', guard: 'faults-in-row' } } });
    expect(last.loaded.state).toMatchObject({ status: 'halted', faults: 3 });
  });

  it('does not pause the loop for a usage limit when the user writes: that is the next try', () => {
    const limit: Failure = { class: 'usage-limit', detail: 'usage limit' };
    const { loaded, late } = failedBefore(anArmedLoop(), WRITES, limit);
    expect(late?.decision).toMatchObject({ kind: 'pause', cause: 'usage-limit' });
    expect(loaded.state).toMatchObject({ status: 'running', faults: 0, pause: null });
  });
});
