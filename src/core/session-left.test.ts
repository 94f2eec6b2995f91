import { expect, it } from 'vitest';
import { aState } from '../../test/support/a-loop.ts';
import type { Event } from './event.ts';
import { withSession } from './session-left.ts';

const left = aState({ sessionLeft: true });

it.each([
  'turn-ended',
  'turn-failed',
  'turn-aborted',
  'session-changed',
  'session-resumed',
  'user-spoke',
  'driver-changed',
] as const)('%s shows that the session is there', (kind) => {
  expect(withSession(left, { kind } as Event)).not.toHaveProperty('sessionLeft');
});

it.each(['outcome-shown', 'approval-given', 'steering-given'] as const)('%s shows nothing of the session', (kind) => {
  expect(withSession(left, { kind } as Event)).toBe(left);
});
