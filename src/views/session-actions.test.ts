import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { actionLines } from './actions.ts';
import { haltedCommand, pauseActionsHere, typedPrefix } from './session-actions.ts';

const session = { host: 'codex', id: 's1' };

describe('the prefix of the commands', () => {
  it('is the one that was typed, as long as the loop stays with that host', () => {
    const spec = aSpec({ typed: { host: 'codex', prefix: '$' } });
    expect(typedPrefix({ spec, state: aState({ session }) })).toBe('$');
    expect(typedPrefix({ spec, state: aState({ session: { host: 'pi', id: 's1' } }) })).toBeNull();
    expect(typedPrefix({ spec, state: aState({ session: null }) })).toBeNull();
    expect(typedPrefix({ spec: aSpec(), state: aState({ session }) })).toBeNull();
  });
});

describe('what continues a halted loop', () => {
  it.each([
    ['iterations-max', '$ralph --resume loop-1 --max-iterations 40'],
    ['no-progress', '$ralph --resume loop-1'],
  ] as const)('%s', (guard, command) => {
    const outcome = { kind: 'halted', guard, limit: 3, actual: 3 } as const;
    const state = aState({ loop: 'loop-1', status: 'halted', outcome });
    expect(haltedCommand({ spec: aSpec(), state }, '$')).toBe(command);
    expect(haltedCommand({ spec: aSpec(), state: aState() }, '$')).toBeNull();
  });
});

describe('the actions of a pause in its session', () => {
  it.each([
    ['user', ['continue: /ralph --resume l']],
    ['approval', ['approve:  /ralph-approve', 'reject:   /ralph-reject TEXT']],
    ['review', ['look at the changed files, then', 'approve:  /ralph-approve', 'reject:   /ralph-reject TEXT']],
    ['usage-unknown', ['continue without that limit: /ralph --resume l --max-cost unlimited --max-tokens unlimited']],
    ['blocked', ['just answer here, and the loop continues']],
  ] as const)('%s', (cause, lines) => {
    expect(actionLines(pauseActionsHere('l', { cause }, '/'))).toEqual(lines);
  });

  it('are those of a terminal where no command was typed', () => {
    expect(actionLines(pauseActionsHere('l', { cause: 'approval' }, null))[0]).toBe('approve:  tireless approve l');
    expect(actionLines(pauseActionsHere('l', { cause: 'user' }, null))).toEqual(['continue: tireless resume l']);
  });
});
