import { expect, it } from 'vitest';
import { backgroundWaitMs, isHeldUp, outlastingWork } from './background-work.ts';

const BUILD = { backgroundWork: true, backgroundTasks: ['build'] } as const;

it('work in the background holds up a stop until it has outlasted the wait', () => {
  expect(isHeldUp({}, {})).toBe(false);
  expect(isHeldUp({}, BUILD)).toBe(true);
  expect(isHeldUp({}, { ...BUILD, outlasted: true })).toBe(false);
});

it('what outlasted one stop holds up no other, and something new does', () => {
  const state = outlastingWork({}, { ...BUILD, outlasted: true });
  expect(isHeldUp(state, BUILD)).toBe(false);
  expect(isHeldUp(state, { ...BUILD, backgroundTasks: ['build', 'tests'] })).toBe(true);
});

it('work without a name holds up every stop, and is not kept', () => {
  expect(isHeldUp({ outlasted: ['build'] }, { backgroundWork: true })).toBe(true);
  expect(outlastingWork({}, { backgroundWork: true, outlasted: true })).toEqual({});
  expect(outlastingWork({}, BUILD)).toEqual({});
});

it('keeps a bounded number of names, and waits for half of the time at most', () => {
  const many = Array.from({ length: 200 }, (_, index) => `task ${index}`);
  expect(outlastingWork({}, { backgroundWork: true, backgroundTasks: many, outlasted: true }).outlasted).toHaveLength(
    50,
  );
  expect([600_000, 20_000, -5].map(backgroundWaitMs)).toEqual([300_000, 10_000, 0]);
});
