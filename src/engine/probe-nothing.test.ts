import { expect, it } from 'vitest';
import { aCheck, aSpec } from '../../test/support/a-loop.ts';
import type { ProbeRequest } from './ports.ts';
import { probeNothing } from './probe-nothing.ts';

it('what nobody looks at is unknown, changed or lost, and never a pass', () => {
  const spec = aSpec();
  const requests = [
    { kind: 'check', check: aCheck('unit') },
    { kind: 'workspace' },
    { kind: 'protected' },
    { kind: 'criteria' },
    { kind: 'holder' },
    { kind: 'room-baseline', spec, results: [] },
    { kind: 'room', spec, checks: [] },
    { kind: 'work', spec },
  ] as unknown as readonly ProbeRequest[];
  expect(probeNothing({ loop: 'a', cwd: '/project', requests, inOrder: false })).toEqual([
    { kind: 'check', result: { name: 'unit', result: 'unknown', durationMs: 0, tail: '', unknown: 'not-run' } },
    { kind: 'workspace', fingerprint: null },
    { kind: 'protected', facts: { hash: '', changed: ['(not looked at)'] } },
    { kind: 'criteria', met: [] },
    { kind: 'holder', alive: true, seen: null },
    { kind: 'room-baseline', baseline: { kind: 'none', why: 'not-supported', detail: '' } },
    { kind: 'room', facts: { kind: 'lost', why: 'not-supported', detail: '' } },
    { kind: 'work', hash: null },
  ]);
});
