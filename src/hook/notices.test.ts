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

it('begins a new sentence after a question of the agent', () => {
  const decision = { kind: 'pause', cause: 'blocked', question: 'Which colour?' } as const;
  expect(noticeOf({ decision, loop: 'a-loop', dialect: undefined, limits, prefix: '/' })).toBe(
    'tireless: paused: the agent is blocked: Which colour? Just answer here, and the loop continues',
  );
});

const inFile = { loop: 'a-loop', dialect: { name: 'supercode', file: '.supercoin/ralph-loop-state.json' } };

it('names the state file that cannot be read', () => {
  const decision = { kind: 'abstain', because: 'file-unreadable' } as const;
  expect(noticeOf({ ...inFile, decision, reading: { kind: 'invalid', why: 'no JSON' } })).toBe(
    'tireless: .supercoin/ralph-loop-state.json cannot be read (no JSON), so the agent may stop. Correct it or delete it.',
  );
});

it.each(['file-removed', 'file-switched-off'] as const)('reports the end of a loop in a file: %s', (because) => {
  expect(noticeOf({ ...inFile, decision: { kind: 'cancel', because }, reading: null })).toMatch(
    /^tireless: loop a-loop was cancelled/u,
  );
});
