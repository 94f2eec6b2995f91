import { describe, expect, it } from 'vitest';
import { aCheck, aSpec, aState } from '../../test/support/a-loop.ts';
import { findOpenRequests } from './answer-request.ts';
import { editOf } from './file-edit.ts';
import { originOfTakeover, workBefore } from './takeover-signs.ts';
import { findMovedLoop } from './moved-away.ts';
import type { Loaded } from './ports.ts';
import { previewStart } from './preview-start.ts';
import { handleStopInFile } from './stop-in-file.ts';
import { withUniqueNames } from './unique-check-names.ts';
import { endOf, unseenOutcome } from './unseen-outcome.ts';

const SESSION = { host: 'claude-code', id: 'one' };
const aLoaded = (more: Partial<Loaded>): Loaded => {
  const spec = more.spec ?? aSpec({});
  return { spec, asked: spec, state: aState({}), ...more } as Loaded;
};
const inFile = aSpec({ dialect: { name: 'ralph-loop', file: '/shop/loop.md' } });

describe('the name of a check', () => {
  it('gets the next free number if it is taken', () => {
    const names = ['test', 'test', 'test', 'test (2)', 'lint'].map((name) => ({ ...aCheck(name), name }));
    expect(withUniqueNames(names).map(({ name }) => name)).toEqual([
      'test',
      'test (2)',
      'test (3)',
      'test (2) (2)',
      'lint',
    ]);
  });
});

describe('a loop that is taken from its session', () => {
  it('says where it was, and how long ago its agent was active', () => {
    const loaded = aLoaded({ state: aState({ session: SESSION }) });
    expect(originOfTakeover(loaded, { activeMs: 7 })).toEqual({ from: SESSION, activeMs: 7 });
    expect(originOfTakeover(loaded, {})).toEqual({ from: SESSION });
    expect(originOfTakeover(aLoaded({ state: aState({ session: null }) }), { activeMs: 7 })).toEqual({});
    // Its file counts the turn.
    expect(originOfTakeover(aLoaded({ spec: inFile, state: aState({ session: SESSION }) }), { activeMs: 7 })).toEqual({
      from: SESSION,
    });
  });

  it('knows of the work before only what somebody measured', () => {
    expect(workBefore({})).toEqual({});
    expect(workBefore({ idleMs: 5 }).idleMs?.()).toBe(5);
  });
});

describe('the requests of documents', () => {
  const paused = aState({ status: 'paused', pause: { cause: 'user' } });
  const request = { name: 'deploy' } as never;

  it('are looked for in paused loops of documents only', async () => {
    const asked: string[] = [];
    const extrasOf = async (dialect: string) => {
      asked.push(dialect);
      return { openRequest: () => request };
    };
    const loops = [
      aLoaded({ spec: inFile, state: paused }),
      aLoaded({ spec: inFile, state: { ...paused, status: 'running', pause: null } }),
      aLoaded({ state: paused }),
    ];
    const found = await findOpenRequests(loops, extrasOf);
    expect([...found]).toEqual([[paused.loop, request]]);
    expect(asked).toEqual(['ralph-loop']);
  });

  it('are none where the document has none', async () => {
    const found = await findOpenRequests([aLoaded({ spec: inFile, state: paused })], async () => ({}));
    expect(found.size).toBe(0);
  });
});

describe('a loop that the user took from a session', () => {
  const steps = (loop: string | undefined, loaded?: Loaded): Loaded | undefined => {
    const look = findMovedLoop(SESSION);
    look.next();
    const found = look.next(loop);
    return (found.done === true ? found : look.next(loaded)).value as Loaded | undefined;
  };

  it('is found there until that was shown', () => {
    const moved = aLoaded({ state: aState({ movedFrom: SESSION }) });
    expect(steps('a-loop', moved)).toBe(moved);
    expect(steps('a-loop', aLoaded({ state: aState({}) }))).toBeUndefined();
    expect(steps('a-loop', aLoaded({ state: aState({ movedFrom: { ...SESSION, id: 'two' } }) }))).toBeUndefined();
    expect(steps(undefined)).toBeUndefined();
  });
});

it('a preview of a loop has its first prompt, and keeps nothing', () => {
  const spec = aSpec({ goal: 'Add up.' });
  const request = { loop: 'a-loop', spec, session: null, cwd: '/shop', machine: 'm' };
  const { loop, prompt } = previewStart(request, { wallMs: 0, monotonicMs: 0, boot: 'b' });
  expect(loop.state).toMatchObject({ loop: 'a-loop', cwd: '/shop' });
  expect(prompt).toContain('Add up.');
});

it('a stop without a message is marked like one with an empty message', () => {
  const first = handleStopInFile({} as never, {}, { transcriptBytes: 5 }).next();
  expect(first.value).toEqual({ effect: 'hashText', input: [''] });
});

describe('a file that says that its loop is done', () => {
  const reading = { active: true, isMarkedDone: true, counted: 2, goal: 'Add up.', claim: null, criteria: [] } as never;
  const running = aState({});

  it('switches a paused loop off, and is judged while the loop runs', () => {
    const edit = (state: Loaded['state']) => editOf(reading, aLoaded({ spec: inFile, state }));
    expect(edit({ ...running, status: 'paused', pause: { cause: 'user' } })).toMatchObject({
      because: 'file-switched-off',
    });
    expect(edit(running)).not.toHaveProperty('because');
  });
});

describe('an end that nobody saw', () => {
  const cancelled = aState({ status: 'cancelled', outcome: { kind: 'cancelled', because: 'file-removed' } });

  it('is shown as it was decided, with its reason', () => {
    expect(unseenOutcome({ ...cancelled, unseen: true })).toEqual({ kind: 'cancel', because: 'file-removed' });
    expect(endOf(aState({ status: 'cancelled', outcome: { kind: 'cancelled' } }))).toEqual({ kind: 'cancel' });
    const pause = { cause: 'user' } as const;
    expect(unseenOutcome(aState({ status: 'paused', pause, unseen: true }))).toEqual({ kind: 'pause', cause: 'user' });
  });

  it('is missing if somebody saw it, or if the loop is open', () => {
    expect(unseenOutcome(cancelled)).toBeNull();
    expect(unseenOutcome(aState({ unseen: true }))).toBeNull();
  });
});
