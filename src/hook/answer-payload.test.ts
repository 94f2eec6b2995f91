import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../test/support/a-loop.ts';
import { aTranscript } from '../../test/support/host-environment.ts';
import type { Spec } from '../core/loop.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMING } from '../core/loop.ts';
import { handleEvent } from '../engine/handle-event.ts';
import { NO_FILES } from '../engine/no-files.ts';
import { runAsync, runSync } from '../engine/pipeline.ts';
import type { Effects, ProbeBatch } from '../engine/ports.ts';
import { startLoop } from '../engine/start-loop.ts';
import { HOSTS } from '../hosts/hosts.ts';
import type { MemoryStoreOptions } from '../stores/memory-store.ts';
import { openMemoryStore } from '../stores/memory-store.ts';
import { answerFast } from './answer-fast.ts';
import { answerPayload, runSteps } from './answer-payload.ts';
import { hostWording, nativeLoops } from './native-loops.ts';

const host = HOSTS['claude-code'];
const session = { host: 'claude-code', id: 's1' };
const environment = {
  variables: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000' },
  hashText: (text: string) => text,
  nowMs: () => 0,
  beganMs: () => 0,
  bytesOf: () => null,
  exists: () => false,
  transcripts: aTranscript([]),
};

function aPayload(name: string, fields: Readonly<Record<string, unknown>> = {}): object {
  return { session_id: session.id, cwd: '/project', hook_event_name: name, stop_hook_active: true, ...fields };
}

const STOP = aPayload('Stop', { last_assistant_message: 'still at it' });
const DONE = aPayload('Stop', { last_assistant_message: 'All is well.\n<promise>DONE</promise>' });

/** A world with an armed loop whose checks fail. */
function aWorld(
  spec: Partial<Spec> = {},
  options: MemoryStoreOptions = {},
): { effects: Effects; commits: () => number } {
  const store = openMemoryStore(options);
  let minute = 0;
  const effects: Effects = {
    ...store,
    ...NO_FILES,
    readClock: () => ({ wallMs: (minute += 1) * 60_000, monotonicMs: minute * 60_000, boot: 'b' }),
    newLoop: () => ({ loop: 'a', machine: 'm' }),
    probe: ({ requests }) =>
      requests.map((request) =>
        request.kind === 'check'
          ? { kind: 'check', result: aResult(request.check.name, 'failed') }
          : { kind: 'workspace', fingerprint: `w${minute}` },
      ),
  };
  const request = { loop: 'a', spec: aSpec({ driver: 'session', ...spec }), session, cwd: '/project', machine: 'm' };
  runSync(startLoop(request), effects);
  store.bindSession(session, 'a');
  runSync(handleEvent('a', { kind: 'baseline-taken' }), effects);
  return { effects, commits: () => store.entries('a').length };
}

const HOME = '/h/state';
const BASH = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });

/** As `lookNow` does: what needs a process is not answered. */
function withoutChecks({ probe }: Effects) {
  return (batch: ProbeBatch) => (batch.requests.some(({ kind }) => kind === 'check') ? undefined : probe(batch));
}

function fast(payload: object, effects: Effects) {
  return answerFast(payload, {
    host,
    environment,
    home: HOME,
    program: '/p/cli.js',
    effects: { ...effects, probe: withoutChecks(effects) },
  });
}

async function full(payload: object, effects: Effects, noticeOnReturn: string | null = 'welcome back') {
  const unused = () => expect.unreachable('no port of the full hook');
  const loops = nativeLoops({
    own: { home: HOME, program: '/p/cli.js' },
    run: (pipeline) => runAsync(pipeline, effects),
    settle: async () => {},
    answerTyped: unused,
    offerLoops: unused,
    answerMoved: unused,
    noticeOtherLoop: unused,
    failedTurn: () => undefined,
    waitForBackground: () => false,
    isCutOff: () => false,
    noticeOnReturn: async () => noticeOnReturn,
  });
  const decode = (given: unknown) => host.decode(given, environment);
  return runSteps(answerPayload(payload, { decode, loops, wording: hostWording(host), pause: async () => {} }));
}

describe('the path of the hook', () => {
  it.each([
    ['a stop', STOP],
    ['a stop that ends the loop', DONE],
    ['a tool', aPayload('PreToolUse', { tool_name: 'Bash', tool_input: {} })],
    ['a tool that would answer for the user', aPayload('PreToolUse', BASH('tireless approve'))],
    ['a tool in the home', aPayload('PreToolUse', { tool_name: 'Write', tool_input: { file_path: `${HOME}/x` } })],
    ['an event of another host', { what: 'ever' }],
  ])('gives the same reply at once and with promises: %s', async (_, payload) => {
    const [one, other] = [aWorld(), aWorld()];
    expect(fast(payload, one.effects)).toMatchObject({ kind: 'reply', reply: await full(payload, other.effects) });
    expect(one.commits()).toBe(other.commits());
  });

  it('hands a check over to the full hook before anything is written, which then answers the same payload', async () => {
    const { effects, commits } = aWorld({ checks: [aCheck('npm test')] });
    const before = commits();
    expect(fast(DONE, effects)).toEqual({ kind: 'needs-full-hook' });
    expect(commits()).toBe(before);
    expect((await full(DONE, effects)).stdout).toContain('npm test');
    expect(commits()).toBe(before + 1);
  });

  it('leaves a loop with pauses to the full hook, which knows how long its host lets it run', () => {
    const { effects, commits } = aWorld({ timing: { ...DEFAULT_TIMING, pauseBetweenMs: 1 } });
    const before = commits();
    expect(fast(STOP, effects)).toEqual({ kind: 'needs-full-hook' });
    expect(commits()).toBe(before);
  });

  it('leaves a turn in which the host asked for a permission to the full hook, which looks for the answer', () => {
    const { effects, commits } = aWorld();
    runSync(handleEvent('a', { kind: 'permission-asked' }), effects);
    const before = commits();
    expect(fast(STOP, effects)).toEqual({ kind: 'needs-full-hook' });
    expect(commits()).toBe(before);
  });

  describe.each([
    ['a check', { checks: [aCheck('npm test')] }, {}, 'npm test'],
    ['to wait for work in the background', {}, { background_tasks: [{ id: 'x' }] }, 'loop a waits'],
    ['nothing more', {}, {}, 'iteration 2'],
  ])('a stop that needs %s', (_, spec, fields, reply) => {
    it.each([
      [
        'a usage limit',
        { error: 'rate_limit', error_details: 'usage limit reached' },
        /usage limit.*it continues now/u,
      ],
      [
        'a full context',
        { error: 'invalid_request', error_details: 'prompt is too long' },
        /no room for another turn.*it continues now/u,
      ],
    ])(
      'after %s writes nothing before the full hook answers it, with what nobody has seen',
      async (_name, failure, seen) => {
        const { effects, commits } = aWorld(spec);
        fast(aPayload('StopFailure', failure), effects);
        const before = commits();
        const payload = aPayload('Stop', { stop_hook_active: false, last_assistant_message: 'on', ...fields });
        expect(fast(payload, effects)).toEqual({ kind: 'needs-full-hook' });
        expect(commits()).toBe(before);
        const { stdout } = await full(payload, effects, null);
        expect(stdout).toMatch(seen);
        expect(stdout).toContain(reply);
      },
    );
  });

  it.each(['SessionStart', 'UserPromptSubmit'])('leaves %s to the full hook', async (name) => {
    const { effects, commits } = aWorld();
    const before = commits();
    const payload = aPayload(name, { source: 'resume', prompt: 'and the colour?' });
    expect(fast(payload, effects)).toEqual({ kind: 'needs-full-hook' });
    expect(commits()).toBe(before);
    expect((await full(payload, effects)).stdout).toContain('welcome back');
  });

  it('reports a failure after the commit, and never hands that over', () => {
    let isBroken = false;
    const { effects } = aWorld({}, { fail: (operation) => (isBroken && operation === 'commit' ? 'after' : undefined) });
    isBroken = true;
    expect(fast(STOP, effects)).toMatchObject({ kind: 'failed', name: 'Stop', error: { code: 'STORE_UNWRITABLE' } });
  });

  it.each(['UserPromptSubmit', 'SessionStart', 'Stop'])(
    'shows an end that the host did not show at the next %s, with what to do, and once',
    async (name) => {
      const { effects } = aWorld({ limits: { ...DEFAULT_LIMITS, faultsInRowMax: 1 } });
      fast(aPayload('StopFailure', { error: 'unknown' }), effects);
      const next = aPayload(name, { source: 'resume', prompt: 'hm', last_assistant_message: 'hm' });
      const replies = [await full(next, effects, null), await full(next, effects, null)];
      expect(replies[0]?.stdout).toMatch(/halted: 1 agent fault.*unknown.*tireless resume a/u);
      expect(replies[1]?.stdout).not.toContain('halted');
    },
  );

  it('shows a pause that the host did not show, also when the prompt that brings it continues the loop', async () => {
    const { effects } = aWorld();
    fast(aPayload('StopFailure', { error: 'rate_limit', error_details: 'usage limit reached' }), effects);
    const { stdout } = await full(aPayload('UserPromptSubmit', { prompt: 'hm' }), effects, null);
    expect(JSON.parse(stdout)).toMatchObject({
      systemMessage: expect.stringMatching(/usage limit.*it continues now/u) as string,
    });
  });

  it('continues with a turn that the user began after the loop was handed over', async () => {
    const { effects } = aWorld();
    const capped = { ...environment, variables: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' } };
    const stop = async (sentBack: boolean, message: string) => {
      const payload = aPayload('Stop', { stop_hook_active: sentBack, last_assistant_message: message });
      const world = { host, environment: capped, home: HOME, program: '/p/cli.js' };
      const answer = answerFast(payload, { ...world, effects: { ...effects, probe: withoutChecks(effects) } });
      return answer.kind === 'reply' ? answer.reply.stdout : (await full(payload, effects)).stdout;
    };
    expect(await stop(false, 'a')).toContain('additionalContext');
    expect(await stop(true, 'b')).toContain('write to the agent');
    expect(await stop(true, 'b')).not.toContain('additionalContext');
    expect(await stop(false, 'c')).toContain('additionalContext');
  });

  it('names the loop that an event ended, for what follows the reply', () => {
    expect(fast(STOP, aWorld().effects)).not.toHaveProperty('ended');
    expect(fast(DONE, aWorld().effects)).toHaveProperty('ended.state.status', 'completed');
  });
});
