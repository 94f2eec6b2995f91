/** Whatever host it is: after an API error the next event continues the loop, and nobody misses a pause or a halt. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/core/event.ts';
import type { State } from '../../src/core/loop.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { NO_FILES } from '../../src/engine/no-files.ts';
import { runAsync, runSync } from '../../src/engine/pipeline.ts';
import type { Effects } from '../../src/engine/ports.ts';
import { startLoop } from '../../src/engine/start-loop.ts';
import { answerPayload, runSteps } from '../../src/hook/answer-payload.ts';
import { hostWording, nativeLoops } from '../../src/hook/native-loops.ts';
import type { HostId } from '../../src/hosts/ids.ts';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';
import { aSpec } from '../support/a-loop.ts';
import { HOST_ENVIRONMENT } from '../support/host-environment.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/hosts');
const PROMPTS: Partial<Record<HostId, string>> = { gemini: 'before-agent', copilot: 'pascal-user-prompt-submit' };
const STOPS: Partial<Record<HostId, string>> = { gemini: 'after-agent', copilot: 'pascal-stop' };

function payloadOf(id: HostId, moment: string): unknown {
  const file = path.join(FIXTURES, id, `${HOSTS[id].capabilities.measured}-${moment}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as unknown;
}

/** A session whose turn has just failed, and nobody was shown it. */
function aFailedSession(id: HostId, failure: Failure) {
  const host = HOSTS[id];
  const prompt = payloadOf(id, PROMPTS[id] ?? 'user-prompt-submit');
  const decoded = host.decode(prompt, HOST_ENVIRONMENT);
  if (decoded === 'not-ours' || decoded.session === null) throw new Error(`the prompt of ${id} has no session`);
  const { session } = decoded;
  const store = openMemoryStore();
  let minute = 0;
  const effects: Effects = {
    ...store,
    ...NO_FILES,
    readClock: () => ({ wallMs: (minute += 1) * 60_000, monotonicMs: minute * 60_000, boot: 'b' }),
    newLoop: () => ({ loop: 'a', machine: 'm' }),
    probe: ({ requests }) => requests.map(() => ({ kind: 'workspace', fingerprint: `w${minute}` })),
  };
  const spec = aSpec({ driver: 'session' });
  runSync(startLoop({ loop: 'a', spec, session, cwd: '/project', machine: 'm' }), effects);
  store.bindSession(session, 'a');
  runSync(handleEvent('a', { kind: 'baseline-taken' }), effects);
  runSync(handleEvent('a', { kind: 'turn-failed', failure, iteration: null, worker: null }, { unseen: true }), effects);
  const unused = () => expect.unreachable('no command, and no offer');
  const loops = nativeLoops({
    own: { home: '/h' },
    run: (pipeline) => runAsync(pipeline, effects),
    settle: async () => {},
    answerTyped: unused,
    offerLoops: unused,
    failedTurn: () => undefined,
    waitForBackground: () => false,
    isCutOff: () => false,
    noticeOnReturn: async () => null,
    answerMoved: unused,
    noticeOtherLoop: unused,
  });
  const decode = (given: unknown) => host.decode(given, HOST_ENVIRONMENT);
  return {
    state: (): State | undefined => store.load('a')?.state,
    hear: (payload: unknown) =>
      runSteps(answerPayload(payload, { decode, loops, wording: hostWording(host), pause: async () => {} })),
    prompt,
    stop: payloadOf(id, STOPS[id] ?? 'stop'),
  };
}

describe.each(HOST_IDS)('%s', (id) => {
  it('continues with the next prompt after an error that passes, and counts no time before it', async () => {
    const { hear, prompt, state } = aFailedSession(id, { class: 'transient', detail: 'overloaded' });
    const before = state()?.runningMs;
    expect(state()?.resting).toBeDefined();
    expect((await hear(prompt)).stdout).toContain('comes first');
    expect(state()).toMatchObject({ status: 'running', faults: 0, counted: 0, runningMs: before });
    expect(state()).not.toHaveProperty('resting');
  });

  it('is shown a usage limit at the next prompt, which continues the loop without a fault', async () => {
    const { hear, prompt, state } = aFailedSession(id, { class: 'usage-limit', detail: 'limit', resumeAt: 9e9 });
    expect(state()).toMatchObject({ status: 'paused', faults: 0 });
    expect((await hear(prompt)).stdout).toContain('it continues now');
    expect(state()).toMatchObject({ status: 'running', faults: 0, counted: 0 });
  });

  it('has its stop judged although the limit should still hold: the host continued by itself', async () => {
    const { hear, stop, state } = aFailedSession(id, { class: 'usage-limit', detail: 'limit', resumeAt: 9e9 });
    await hear(stop);
    expect(state()).toMatchObject({ status: 'running', faults: 0, counted: 1 });
  });

  it('is shown a halt at the next prompt, with the way to continue', async () => {
    const { hear, prompt, state } = aFailedSession(id, { class: 'fatal', detail: 'billing_error' });
    expect(state()).toMatchObject({ status: 'halted' });
    expect((await hear(prompt)).stdout).toMatch(/halted: .*billing_error.*tireless resume a/u);
  });
});
