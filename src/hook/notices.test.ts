import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import { noticeOf } from './notices.ts';

const limits = { ...DEFAULT_LIMITS, durationMaxMs: 20_000 };

it.each([
  ['duration-max', 'continue with more: tireless resume a-loop --max-duration 40s'],
  ['iterations-max', 'continue with more: tireless resume a-loop --max-iterations 40'],
  ['no-progress', 'continue: tireless resume a-loop'],
  ['faults-in-row', 'continue when that is fixed: tireless resume a-loop'],
] as const)('a halt by %s is shown with the way to resume the loop', (guard, way) => {
  const decision = { kind: 'halt', guard, limit: 20, actual: 28, unmet: [] } as const;
  const notice = noticeOf({ decision, loop: 'a-loop', dialect: undefined, limits });
  expect(notice).toContain(`; why: tireless explain a-loop; ${way}`);
});

it('a loop that its file ended is reported', () => {
  const decision = { kind: 'cancel', because: 'file-removed' } as const;
  expect(noticeOf({ decision, loop: 'a-loop', dialect: undefined, reading: null })).toBe(
    'tireless: loop a-loop is cancelled: its file was removed',
  );
});
