import { expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { Decision } from '../core/decision.ts';
import type { Loaded } from './ports.ts';
import { postFromOutside } from './post-event.ts';

const spec = aSpec();
const found: Loaded = { spec, asked: spec, state: aState(), head: { revision: 1, hash: 'h' } };

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
