import { expect, it } from 'vitest';
import { aState } from '../../test/support/a-loop.ts';
import type { Event } from './event.ts';
import { isHandedOver, isUsersTurn } from './handed-over.ts';

const ended: Event = { kind: 'turn-ended', iteration: 1, worker: null };
const handed = aState({ status: 'paused', pause: { cause: 'handed-over', request: 'replies-in-row' } });

it('a stop after the loop was handed over ends a turn that the user began', () => {
  expect(isHandedOver(handed)).toBe(true);
  expect(isUsersTurn(handed, ended, false)).toBe(true);
});

it('a stop that our own reply caused does not, nor one that nobody can tell', () => {
  expect(isUsersTurn(handed, ended, true)).toBe(false);
  expect(isUsersTurn(handed, ended, undefined)).toBe(false);
});

it('nothing else is the turn of the user', () => {
  expect(isUsersTurn(handed, { kind: 'user-spoke' }, false)).toBe(false);
  expect(isUsersTurn(aState({ status: 'paused', pause: { cause: 'user' } }), ended, false)).toBe(false);
});
