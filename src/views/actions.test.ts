import { describe, expect, it } from 'vitest';
import type { PauseCause } from '../core/loop.ts';
import { actionLines, actionPhrases, actionSentence, pauseActions } from './actions.ts';
import { pauseActionsHere } from './session-actions.ts';

describe('what a user can do about a pause', () => {
  it.each<[PauseCause, string]>([
    ['user', 'tireless resume a-loop'],
    ['aborted', 'tireless resume a-loop'],
    ['failed', 'tireless resume a-loop'],
    ['blocked', 'tireless steer a-loop'],
    ['approval', 'tireless approve a-loop'],
    ['review', 'tireless reject a-loop'],
    ['usage-limit', 'tireless resume a-loop'],
    ['usage-unknown', '--max-cost unlimited'],
  ])('for %s contains the command "%s"', (cause, typed) => {
    expect(actionLines(pauseActions('a-loop', { cause })).join('\n')).toContain(typed);
  });

  it('continues a loop that could not make a clean room, once it can', () => {
    const lost = actionLines(pauseActions('a-loop', { cause: 'review', request: 'work' }));
    expect(lost[0]).toBe('continue when that is fixed: tireless resume a-loop');
    expect(lost.join('\n')).toContain('tireless approve a-loop');
  });

  it('stands in a column below each other', () => {
    expect(actionLines(pauseActions('a-loop', { cause: 'blocked' }))).toEqual([
      'answer:   tireless steer a-loop "…"',
      'continue: tireless resume a-loop',
    ]);
    expect(actionLines(pauseActions('a-loop', { cause: 'handed-over' }))).toEqual([
      'continue in its session: write to the agent there',
      'continue outside it:     tireless resume a-loop',
    ]);
  });

  it('is a message in the session of the loop, and a command only where one is typed', () => {
    expect(actionPhrases(pauseActionsHere('a-loop', { cause: 'handed-over' }, null))).toEqual([
      'write to the agent here, and the loop continues',
      'continue outside it: tireless resume a-loop',
    ]);
  });

  it('lets nobody type what is not a command', () => {
    const sentence = (cause: PauseCause): string => actionSentence(pauseActions('a-loop', { cause }));
    expect(sentence('handed-over')).toBe('Write to the agent there, or type: tireless resume a-loop');
    expect(sentence('blocked')).toBe('Type: tireless steer a-loop "…", or tireless resume a-loop');
  });
});
