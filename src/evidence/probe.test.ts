import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck, aClock } from '../../test/support/a-loop.ts';
import { aProject } from '../../test/support/a-project.ts';
import type { ProbeAnswer, ProbeBatch, ProbeRequest } from '../engine/ports.ts';
import { systemClock } from '../system/clock.ts';
import { thisWorker } from '../system/worker-identity.ts';
import { createProbes } from './probe.ts';
import type { CheckUpdate, ProbeWorld } from './probe.ts';

const WORLD: ProbeWorld = { readHeartbeat: () => null };

function batchOf(cwd: string, requests: readonly ProbeRequest[], inOrder = false): ProbeBatch {
  return { loop: 'a-loop', cwd, requests, inOrder };
}

function ask(name: string, command: string): ProbeRequest {
  return { kind: 'check', check: aCheck(name, { probe: { kind: 'command', command } }) };
}

const EVERY_KIND: readonly ProbeRequest[] = [
  { kind: 'workspace' },
  ask('ok', 'true'),
  { kind: 'check', check: aCheck('there', { probe: { kind: 'file-exists', path: 'tracker.md' } }) },
  { kind: 'check', check: aCheck('clean', { probe: { kind: 'git-clean' } }) },
  { kind: 'protected', globs: ['*.md'], accepted: null },
  { kind: 'criteria', tracker: 'tracker.md', texts: ['one', 'two'] },
  { kind: 'holder', worker: thisWorker(systemClock()) },
];

function shortly(answer: ProbeAnswer | undefined): unknown {
  switch (answer?.kind) {
    case 'check':
      return answer.result.result;
    case 'workspace':
      return answer.fingerprint?.split(':')[0];
    case 'protected':
      return answer.facts.changed;
    case 'criteria':
      return answer.met;
    case 'holder':
      return answer.alive;
    case 'room-baseline':
    case 'room':
    case 'work':
      return answer.kind;
    case undefined:
      return undefined;
  }
}

describe('probe', () => {
  it('answers every kind of request in their order, in either way to ask', async () => {
    const cwd = aProject({ 'tracker.md': '- [x] one\n- [ ] two\n' });
    const { probe, probeSync } = createProbes(WORLD);
    const expected = ['files', 'passed', 'passed', 'unknown', [], ['one'], true];
    expect((await probe(batchOf(cwd, EVERY_KIND))).map(shortly)).toEqual(expected);
    expect(probeSync(batchOf(cwd, EVERY_KIND)).map(shortly)).toEqual(expected);
  });

  it('answers, and completes nothing, when the project is gone', async () => {
    const cwd = path.join(aProject(), 'gone');
    const { probe, probeSync } = createProbes(WORLD);
    const expected = [undefined, 'unknown', 'unknown', 'unknown', [], [], true];
    expect((await probe(batchOf(cwd, EVERY_KIND))).map(shortly)).toEqual(expected);
    expect(probeSync(batchOf(cwd, EVERY_KIND)).map(shortly)).toEqual(expected);
  });

  it('answers when what it is built on throws', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const { probe, probeSync } = createProbes({ readHeartbeat: broken, allowed: broken });
    const cwd = aProject({ 'tracker.md': '' });
    const expected = ['files', 'unknown', 'unknown', 'unknown', [], [], true];
    expect((await probe(batchOf(cwd, EVERY_KIND))).map(shortly)).toEqual(expected);
    expect(probeSync(batchOf(cwd, EVERY_KIND)).map(shortly)).toEqual(expected);
  });

  it('runs checks side by side', async () => {
    // Each waits for the other: run one after the other, neither would end in time.
    const meet = (own: string, other: string): string => `touch ${own}; until test -e ${other}; do sleep 0.02; done`;
    const requests = [ask('a', meet('a', 'b')), ask('b', meet('b', 'a'))];
    const answers = await createProbes(WORLD).probe(batchOf(aProject(), requests));
    expect(answers.map(shortly)).toEqual(['passed', 'passed']);
  });

  it('runs checks one after the other when their order counts', async () => {
    const requests = [
      ask('a', 'sleep 0.2; touch built'),
      ask('b', 'test -e built'),
      ask('c', 'rm built'),
      ask('d', 'test ! -e built'),
    ];
    const answers = await createProbes(WORLD).probe(batchOf(aProject(), requests, true));
    expect(answers.map(shortly)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  it('tells when a check starts and ends', async () => {
    const updates: CheckUpdate[] = [];
    const { probe } = createProbes({ ...WORLD, onCheck: (update) => updates.push(update) });
    await probe(batchOf(aProject(), [ask('a', 'false')]));
    expect(updates).toMatchObject([
      { loop: 'a-loop', name: 'a', phase: 'started' },
      { loop: 'a-loop', name: 'a', phase: 'ended', result: { result: 'failed' } },
    ]);
  });

  it('tells what a check printed, but not what a hold-out printed', async () => {
    const updates: CheckUpdate[] = [];
    const { probe } = createProbes({ ...WORLD, onCheck: (update) => updates.push(update) });
    const shown = ask('a', 'echo seen; exit 1');
    const secret = ask('b', 'echo secret; exit 1');
    const hidden = secret.kind === 'check' ? { ...secret, check: { ...secret.check, holdout: true } } : secret;
    const answers = await probe(batchOf(aProject(), [shown, hidden], true));
    expect(updates.flatMap(({ result }) => (result === undefined ? [] : [result.tail]))).toEqual(['seen', '']);
    expect(answers).toMatchObject([{ result: { tail: 'seen' } }, { result: { tail: 'secret' } }]);
  });

  it('does not run what is not allowed', async () => {
    const { probe } = createProbes({ ...WORLD, allowed: (check) => check.name !== 'b' });
    const answers = await probe(batchOf(aProject(), [ask('a', 'true'), ask('b', 'true')]));
    expect(answers).toMatchObject([
      { result: { result: 'passed' } },
      { result: { result: 'unknown', unknown: 'not-allowed' } },
    ]);
  });

  it('keeps the tails of many checks within one journal entry', async () => {
    const loud = 'i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done; exit 1';
    const answers = await createProbes(WORLD).probe(
      batchOf(
        aProject(),
        Array.from({ length: 12 }, (_, index) => ask(String(index), loud)),
      ),
    );
    expect(JSON.stringify(answers).length).toBeLessThan(20_000);
  });

  it('asks the heartbeat about a worker of another machine', async () => {
    const worker = { ...thisWorker(systemClock()), machine: 'another' };
    const request: ProbeRequest = { kind: 'holder', worker };
    const now = { ...aClock(), wallMs: Date.now() };
    const alive = await createProbes({ readHeartbeat: () => now }).probe(batchOf('/', [request]));
    expect(alive).toEqual([{ kind: 'holder', alive: true, seen: now }]);
    const dead = await createProbes(WORLD).probe(batchOf('/', [request]));
    expect(dead).toEqual([{ kind: 'holder', alive: false, seen: null }]);
  });
});
