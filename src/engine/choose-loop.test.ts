import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { loopOf } from '../core/journal.ts';
import { chooseLoop, namesLoop } from './choose-loop.ts';
import type { Loaded } from './ports.ts';

const at = (loop: string, startedAt: string, cwd = '/project'): Loaded => ({
  ...loopOf(aSpec(), aState({ loop, startedAt, cwd })),
  head: { revision: 1, hash: 'h' },
});
const older = at('260101-0900-aaaaaa', '2026-01-01T09:00:00.000Z');
const newer = at('260101-1000-bbbbbb', '2026-01-01T10:00:00.000Z');
const elsewhere = at('260102-1000-cccccc', '2026-01-02T10:00:00.000Z', '/other');
const all = [newer, older, elsewhere];
const store = { load: (id: string) => all.find(({ state }) => state.loop === id), list: () => all };
const choose = (given?: string, fits: (loaded: Loaded) => boolean = () => true) =>
  chooseLoop(store, { given, isHere: (directory) => directory === '/project', fits });

describe('the loop that is meant', () => {
  it('is named by its id or by a beginning that no other has', () => {
    expect(choose('260101-0900-aaaaaa')).toEqual({ kind: 'chosen', loaded: older });
    expect(choose('260101-09')).toEqual({ kind: 'chosen', loaded: older });
    expect(choose('260102')).toEqual({ kind: 'chosen', loaded: elsewhere });
  });

  it('is ambiguous when several have that beginning', () => {
    expect(choose('260101')).toEqual({ kind: 'ambiguous', given: '260101', candidates: [newer, older] });
  });

  it('is not found by anything else', () => {
    for (const given of ['9', '../a', '']) expect(choose(given)).toEqual({ kind: 'not-found', given });
  });

  it('is the newest of this project that fits, without a name', () => {
    expect(choose()).toEqual({ kind: 'chosen', loaded: newer });
    expect(choose(undefined, (loaded) => loaded === older)).toEqual({ kind: 'chosen', loaded: older });
    expect(choose(undefined, () => false)).toEqual({ kind: 'none-fits' });
  });

  it('is the newest of this project by the name last, whether it fits or not', () => {
    expect(choose('last', () => false)).toEqual({ kind: 'chosen', loaded: newer });
  });

  it('can be named by a word that begins an id, by last, and by any whole id', () => {
    expect(['2601', 'last', '991231-2359-zzzzzz', 'fix', 'A b'].map((word) => namesLoop(store, word))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
