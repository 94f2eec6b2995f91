import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/core/evidence.ts';
import type { CheckSpec, Spec } from '../../src/core/loop.ts';
import { promptOf } from '../../src/core/prompt.ts';
import { replay } from '../../src/core/journal.ts';
import { embeddedControl } from '../../src/engine/control.ts';
import type { Handled, Loaded } from '../../src/engine/ports.ts';
import { createProbes } from '../../src/evidence/probe.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { aCheck, aSpec } from '../support/a-loop.ts';
import { aProject, isRunning, put } from '../support/a-project.ts';

const LOOP = 'a-loop';
const CLAIM = 'All is well.\n\n<promise>DONE</promise>';

type Play = {
  readonly baseline: Handled;
  /** The agent does its work, says something and stops. */
  readonly turn: (message: string, work?: () => void) => Promise<Handled>;
  readonly loaded: () => Promise<Loaded>;
  readonly replayed: () => Promise<ReturnType<typeof replay>>;
};

/** A loop of a session in this project, with real checks. */
async function play(cwd: string, asked: Partial<Spec>): Promise<Play> {
  const store = openMemoryStore();
  const clock = systemClock();
  const control = embeddedControl(store, { readClock: clock.read, ...createProbes({ readHeartbeat: () => null }) });
  const spec = aSpec({ driver: 'session', ...asked });
  await control.start({ loop: LOOP, spec, session: { host: 'a-host', id: 'a-session' }, cwd, machine: 'here' });
  const baseline = await control.post(LOOP, { kind: 'baseline-taken' });
  return {
    baseline,
    turn: (message, work) => {
      work?.();
      return control.post(LOOP, { kind: 'turn-ended', iteration: null, worker: null }, { message });
    },
    loaded: async () => {
      const loaded = await control.get(LOOP);
      if (loaded === undefined) throw new Error('the loop is gone');
      return loaded;
    },
    replayed: async () => replay(await control.entries(LOOP)),
  };
}

function run(name: string, command: string, more: Partial<CheckSpec> = {}): CheckSpec {
  return aCheck(name, { probe: { kind: 'command', command }, ...more });
}

function resultOf(handled: Handled, name: string): CheckResult | undefined {
  return handled.evidence?.checks?.find((check) => check.name === name);
}

/** How often a command ran is how many lines it wrote. */
function linesIn(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

describe('checks', () => {
  it('complete a loop, verified, when they were red at the start and are green now', async () => {
    const cwd = aProject();
    const { baseline, turn, loaded, replayed } = await play(cwd, {
      checks: [run('built', 'test -e built || { echo nothing built; exit 1; }')],
    });
    expect(resultOf(baseline, 'built')).toMatchObject({ result: 'failed', exitCode: 1, tail: 'nothing built' });

    const still = await turn('I am on it.');
    expect(still.decision).toMatchObject({
      kind: 'continue',
      unmet: [{ kind: 'check', name: 'built', result: 'failed' }],
    });
    const { spec, state } = await loaded();
    expect(promptOf(spec, state)).toContain('nothing built');

    const done = await turn('Built it.', () => put(cwd, { built: '' }));
    expect(done.decision).toMatchObject({ kind: 'complete', verified: true });
    expect((await replayed()).differences).toEqual([]);
  });

  it('need a claim beside them when they were all green at the start', async () => {
    const { turn } = await play(aProject(), { checks: [run('ok', 'true')] });
    expect((await turn('Nothing to say.')).decision).toMatchObject({ kind: 'continue', unmet: [{ kind: 'claim' }] });
    expect((await turn(CLAIM)).decision).toMatchObject({ kind: 'complete', verified: true });
  });

  it('refuse a claim that comes with a red check', async () => {
    const { turn } = await play(aProject(), { checks: [run('no', 'false')] });
    expect((await turn(CLAIM)).decision).toMatchObject({ kind: 'continue' });
  });

  it('are asked twice about a claim: what fails once and then passes is flaky, and passed', async () => {
    const cwd = aProject();
    const flaky = 'echo x >> runs; test "$(wc -l < runs)" -ge 4';
    const { turn } = await play(cwd, { checks: [run('flaky', flaky)] });
    expect(resultOf(await turn('No claim.'), 'flaky')).toMatchObject({ result: 'failed' });
    expect(linesIn(path.join(cwd, 'runs'))).toBe(2);

    const done = await turn(CLAIM);
    expect(resultOf(done, 'flaky')).toMatchObject({ result: 'passed', flaky: true });
    expect(done.decision).toMatchObject({ kind: 'complete', verified: true });
    expect(linesIn(path.join(cwd, 'runs'))).toBe(4);
  });

  it('see the same failure as the same, whatever times and numbers it prints', async () => {
    const failing = 'echo "ran in $(date +%N) ms, pid $$"; echo "AssertionError in $PWD/a.ts:$$" >&2; exit 1';
    const { turn } = await play(aProject(), { checks: [run('no', failing)] });
    const fingerprints = [resultOf(await turn('one'), 'no'), resultOf(await turn('two'), 'no')].map(
      (result) => result?.fingerprint,
    );
    expect(fingerprints[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprints[1]).toBe(fingerprints[0]);
  });
});

describe('hold-out checks', () => {
  const SECRET = 'expected the secret value';
  const checks = [
    run('seen', 'test -e work'),
    run('unseen', `echo x >> ../held-out; test -e right || { echo ${SECRET}; exit 1; }`, { holdout: true }),
  ];

  it('run only when all else holds, and decide', async () => {
    const outer = aProject({ 'project/readme': '' });
    const cwd = path.join(outer, 'project');
    const ran = (): number => linesIn(path.join(outer, 'held-out'));
    const { baseline, turn } = await play(cwd, { checks });
    expect(resultOf(baseline, 'unseen')).toBeUndefined();
    await turn('Not yet.');
    expect(ran()).toBe(0);

    const refused = await turn('Now?', () => put(cwd, { work: '' }));
    expect(resultOf(refused, 'unseen')).toMatchObject({ result: 'failed', holdout: true });
    expect(refused.decision).toMatchObject({ kind: 'continue' });
    expect(ran()).toBe(2);

    expect((await turn('Now!', () => put(cwd, { right: '' }))).decision).toMatchObject({
      kind: 'complete',
      verified: true,
    });
  });

  it('leave no trace in any prompt', async () => {
    const outer = aProject({ 'project/work': '' });
    const { turn, loaded } = await play(path.join(outer, 'project'), { checks, claimRequired: true });
    for (const message of [CLAIM, 'Hm.', CLAIM]) {
      await turn(message);
      const { spec, state } = await loaded();
      const prompt = promptOf(spec, state);
      for (const trace of [SECRET, 'unseen', 'held-out', 'right']) expect(prompt).not.toContain(trace);
    }
    expect(linesIn(path.join(outer, 'held-out'))).toBe(4);
  });
});

describe('a check without an answer', () => {
  it('never completes a loop when its time is over, claimed or not', async () => {
    const { turn } = await play(aProject(), { checks: [run('slow', 'sleep 600', { timeoutMs: 200 })] });
    const ended = await turn(CLAIM);
    expect(resultOf(ended, 'slow')).toMatchObject({ result: 'unknown', unknown: 'timed-out' });
    expect(ended.decision).toMatchObject({
      kind: 'continue',
      unmet: [{ kind: 'check', name: 'slow', result: 'unknown' }],
    });
  });

  it('does not satisfy a rule that asks for the opposite', async () => {
    const finish = {
      kind: 'all',
      of: [{ kind: 'claim' }, { kind: 'not', of: { kind: 'check', name: 'broken' } }],
    } as const;
    const unknown = await play(aProject(), { checks: [run('broken', 'no-such-command-here')], finish });
    expect((await unknown.turn(CLAIM)).decision).toMatchObject({ kind: 'continue', unmet: [{ kind: 'forbidden' }] });
    const failed = await play(aProject(), { checks: [run('broken', 'false')], finish });
    expect((await failed.turn(CLAIM)).decision).toMatchObject({ kind: 'complete', verified: false });
  });

  it('does not complete a loop whose project was deleted', async () => {
    const cwd = path.join(aProject({ 'project/inbox/a.md': '' }), 'project');
    const checks = [aCheck('moved', { probe: { kind: 'file-moved', path: 'inbox/a.md', folder: '../Done' } })];
    const { turn } = await play(cwd, { checks });
    const ended = await turn(CLAIM, () => {
      put(path.dirname(cwd), { 'Done/a.md': '' });
      rmSync(cwd, { recursive: true });
    });
    expect(resultOf(ended, 'moved')).toMatchObject({ result: 'unknown' });
    expect(ended.decision.kind).toBe('continue');
  });
});

describe('files', () => {
  it('that were moved complete a loop, unverified', async () => {
    const cwd = aProject({ 'inbox/a.md': '' });
    const checks = [aCheck('moved', { probe: { kind: 'file-moved', path: 'inbox/a.md', folder: 'Done' } })];
    const { turn } = await play(cwd, { checks });
    const done = await turn('Filed.', () => {
      put(cwd, { 'Done/.keep': '' });
      renameSync(path.join(cwd, 'inbox/a.md'), path.join(cwd, 'Done/a.md'));
    });
    expect(done.decision).toMatchObject({ kind: 'complete', verified: false });
  });

  it('that are protected and were edited hold a green loop up for review', async () => {
    const cwd = aProject({ 'test/a.sh': 'exit 1', 'test/b.sh': 'exit 0' });
    const { turn, loaded } = await play(cwd, { checks: [run('test', 'sh test/a.sh')], protect: ['test/**'] });
    const paused = await turn(CLAIM, () => put(cwd, { 'test/a.sh': 'exit 0' }));
    expect(paused.decision).toMatchObject({
      kind: 'pause',
      cause: 'review',
      request: 'protected-files',
      question: 'test/a.sh',
    });
    expect((await loaded()).state.status).toBe('paused');
  });

  it('that are protected and were edited while the checks ran hold it up as well', async () => {
    const cwd = aProject({ 'test/a.sh': 'test -e work', 'run.sh': 'sh test/a.sh && echo "exit 0" > test/a.sh' });
    const { turn } = await play(cwd, { checks: [run('test', 'sh run.sh')], protect: ['test/**'] });
    const paused = await turn(CLAIM, () => put(cwd, { work: '' }));
    expect(paused.decision).toMatchObject({ kind: 'pause', request: 'protected-files', question: 'test/a.sh' });
  });

  it('that are protected and are put back by a check were still edited', async () => {
    const cwd = aProject({ 'test/a.sh': 'exit 1', 'test/b.sh': 'exit 1' });
    const swap = 'sh test/a.sh && echo -n "exit 1" > test/a.sh';
    const { turn } = await play(cwd, { checks: [run('test', swap)], protect: ['test/**'] });
    const paused = await turn(CLAIM, () => put(cwd, { 'test/a.sh': 'exit 0' }));
    expect(paused.decision).toMatchObject({ kind: 'pause', request: 'protected-files', question: 'test/a.sh' });
  });

  it('that are protected and untouched hold nothing up', async () => {
    const cwd = aProject({ 'test/a.sh': 'test -e work' });
    const { turn } = await play(cwd, { checks: [run('test', 'sh test/a.sh')], protect: ['test/**'] });
    expect((await turn(CLAIM, () => put(cwd, { work: '' }))).decision).toMatchObject({
      kind: 'complete',
      verified: true,
    });
  });

  it('of notes tick criteria off', async () => {
    const cwd = aProject({ '.tireless/notes.md': '- [ ] documented\n' });
    const asked = { criteria: [{ text: 'documented', by: 'agent' as const }], tracker: '.tireless/notes.md' };
    const { turn } = await play(cwd, asked);
    expect((await turn(CLAIM)).decision).toMatchObject({
      kind: 'continue',
      unmet: [{ kind: 'criterion', text: 'documented' }],
    });
    const done = await turn(CLAIM, () => put(cwd, { '.tireless/notes.md': '- [x] documented\n' }));
    expect(done.decision).toMatchObject({ kind: 'complete', verified: false });
  });
});

describe.skipIf(process.platform === 'win32')('processes of a check', () => {
  const DETACHED =
    'setsid sleep 600 >/dev/null 2>&1 & echo $! > daemon; until ps -o comm= -p $! | grep -q sleep; do :; done';

  it.each([
    ['a check that starts a daemon', `${DETACHED}; true`, 'passed'],
    ['a check that ends its own group', `${DETACHED}; kill -s KILL 0`, 'failed'],
    ['a check that runs out of time', `${DETACHED}; sleep 600`, 'unknown'],
    ['a check that will not be ended', `trap '' TERM HUP INT; ${DETACHED}; while :; do sleep 1; done`, 'unknown'],
  ])('are gone after %s', async (_, command, result) => {
    const cwd = aProject();
    const { baseline } = await play(cwd, { checks: [run('a', command, { timeoutMs: 2000 })] });
    expect(resultOf(baseline, 'a')).toMatchObject({ result });
    expect(isRunning(readFileSync(path.join(cwd, 'daemon'), 'utf8').trim())).toBe(false);
  });
});
