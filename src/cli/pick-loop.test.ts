import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { loopOf } from '../core/journal.ts';
import type { Loaded } from '../engine/ports.ts';
import { namesLoop } from '../engine/choose-loop.ts';
import { pickLoop } from './pick-loop.ts';

function aStoreOf(...loops: readonly (readonly [id: string, cwd: string])[]) {
  const all = loops.map(([loop, cwd]): Loaded => ({
    ...loopOf(aSpec({ goal: `goal of ${loop}` }), aState({ loop, cwd, startedAt: loop })),
    head: { revision: 1, hash: 'h' },
  }));
  return { load: (id: string) => all.find(({ state }) => state.loop === id), list: () => all };
}

const store = aStoreOf(['26a-1', '/one'], ['26a-2', '/two'], ['26b-3', '/two']);
const pick = (given: string | undefined, cwd = '/elsewhere', from = store) =>
  pickLoop(from, { given, cwd, kind: 'open', fits: () => true }).state.loop;

describe('pickLoop', () => {
  it('takes a full id and a beginning that fits one', () => {
    expect([pick('26a-2'), pick('26b')]).toEqual(['26a-2', '26b-3']);
  });

  it('takes a full id that is also the beginning of another', () => {
    expect(pick('26a-1', '/', aStoreOf(['26a-1', '/'], ['26a-11', '/']))).toBe('26a-1');
  });

  it('takes the newest one of this project, and never one of another', () => {
    expect([pick(undefined, '/one'), pick(undefined, '/two')]).toEqual(['26a-1', '26b-3']);
    expect(() => pick(undefined, '/', aStoreOf(['26a-1', '/one']))).toThrowError('No loop is open in this project');
  });

  it('takes the newest one that fits', () => {
    const fits = ({ state }: Loaded): boolean => state.loop !== '26b-3';
    expect(pickLoop(store, { given: undefined, cwd: '/two', kind: 'open', fits }).state.loop).toBe('26a-2');
  });

  it('takes no loop that could not start while there is another', () => {
    const failed: Loaded = {
      ...loopOf(
        aSpec(),
        aState({
          loop: '26c-4',
          cwd: '/two',
          startedAt: '26c-4',
          status: 'cancelled',
          outcome: { kind: 'cancelled', because: 'start-failed' },
        }),
      ),
      head: { revision: 1, hash: 'h' },
    };
    const withFailed = { ...store, list: () => [...store.list(), failed] };
    expect([pick(undefined, '/two', withFailed), pick('last', '/two', withFailed)]).toEqual(['26b-3', '26b-3']);
    expect(pick('26c', '/two', withFailed)).toBe('26c-4');
    expect(pick('last', '/two', { ...store, list: () => [failed] })).toBe('26c-4');
  });

  it.each([
    ['26a', '/', 'LOOP_AMBIGUOUS', '26a-1'],
    ['26a', '/', 'LOOP_AMBIGUOUS', 'goal of 26a-1'],
    [undefined, '/', 'LOOP_NOT_FOUND', 'tireless list'],
    ['27', '/', 'LOOP_NOT_FOUND', 'tireless list'],
    ['../../etc', '/', 'LOOP_NOT_FOUND', 'tireless list'],
    ['', '/', 'LOOP_NOT_FOUND', 'tireless list'],
  ])('refuses %j in %s with %s and the candidates', (given, cwd, code, part) => {
    expect(() => pick(given, cwd)).toThrowError(
      expect.objectContaining({ code, message: expect.stringContaining(part) as string }),
    );
  });

  it('explains how to start a loop when there is none', () => {
    expect(() => pick(undefined, '/', aStoreOf())).toThrowError('"tireless run" starts one');
  });

  it('tells a loop from a text', () => {
    expect([namesLoop(store, '26a'), namesLoop(store, 'use the parser'), namesLoop(store, 'stop')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
