import { expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { Decision } from '../core/decision.ts';
import type { Loaded, TurnReport } from './ports.ts';
import { fromOutside, postFromOutside } from './post-event.ts';

const spec = aSpec();
const found: Loaded = { spec, asked: spec, state: aState(), head: { revision: 1, hash: 'h' } };

it.each([
  ['a pause', 'session', { kind: 'pause-requested' }, true],
  ['a cancel', 'session', { kind: 'cancel-requested' }, true],
  ['a message', 'session', { kind: 'steering-given', text: 'x' }, undefined],
  ['a pause outside a session', 'outer', { kind: 'pause-requested' }, undefined],
] as const)('%s is shown at the next stop of its session: %s', async (_name, driver, event, unseen) => {
  const reports: TurnReport[] = [];
  const post = async (_loop: string, _event: unknown, report: TurnReport) => {
    reports.push(report);
    return { decision: { kind: 'record' }, loaded: found };
  };
  const ports = { control: { post } as never, sessionSigns: async () => ({}) as never };
  await postFromOutside({ ...found, spec: aSpec({ driver }) }, event, {}, ports);
  expect(reports.map((report) => report.unseen)).toEqual([unseen]);
});

it('a cancel is not kept for a session whose program is gone', async () => {
  const reports: TurnReport[] = [];
  const post = async (_loop: string, _event: unknown, report: TurnReport) => {
    reports.push(report);
    return { decision: { kind: 'record' }, loaded: found };
  };
  const ports = { control: { post } as never, sessionSigns: async () => ({ isAlive: false }) as never };
  await postFromOutside({ ...found, spec: aSpec({ driver: 'session' }) }, { kind: 'cancel-requested' }, {}, ports);
  expect(reports.map((report) => report.unseen)).toEqual([undefined]);
});

it.each<[string, Decision, Loaded | undefined, object]>([
  ['is posted', { kind: 'record' }, found, { kind: 'posted', loaded: found }],
  [
    'is refused for the reason of the decision',
    { kind: 'abstain', because: 'ended' },
    undefined,
    { kind: 'refused', loaded: found, because: 'ended' },
  ],
  [
    'is refused if the loop is gone by then',
    { kind: 'record' },
    undefined,
    { kind: 'refused', loaded: found, because: 'no-loop' },
  ],
])('an event from outside %s', async (_name, decision, loaded, expected) => {
  const post = async () => ({ decision, ...(loaded === undefined ? {} : { loaded }) });
  const ports = { control: { post } as never, sessionSigns: async () => ({}) as never };
  expect(await postFromOutside(found, { kind: 'pause-requested' }, {}, ports)).toEqual(expected);
});

it('an event from outside leaves an agent idle that is idle', () => {
  const paused = aState({ status: 'paused' });
  expect(fromOutside({ ...found, state: paused })).toEqual({ noReply: true, rests: true });
  expect(fromOutside({ ...found, state: aState({ status: 'running' }) })).toEqual({ noReply: true });
});
