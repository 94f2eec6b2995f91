import { describe, expect, it } from 'vitest';
import { aClock, aSpec } from '../../test/support/a-loop.ts';
import { isFault } from './fault.ts';
import type { Entry } from './journal.ts';
import { foldAll, parseEntry, replay } from './journal.ts';
import { promptMark } from './prompt-mark.ts';

const at = '2026-01-01T00:00:00.000Z';
const started: Entry = {
  v: 1,
  revision: 1,
  prev: null,
  at,
  event: { kind: 'loop-started', loop: 'l', spec: aSpec(), session: null, cwd: '/p', machine: 'm' },
  evidence: { clock: aClock(0) },
  decision: { kind: 'record' },
};
const baseline: Entry = {
  v: 1,
  revision: 2,
  prev: 'x',
  at,
  event: { kind: 'baseline-taken' },
  evidence: { clock: aClock(1), checks: [] },
  decision: {
    kind: 'continue',
    iteration: 1,
    strategy: 'steady',
    last: false,
    delayMs: 0,
    rerun: false,
    unmet: [{ kind: 'claim' }],
  },
};

describe('journal', () => {
  it('folds to the state, and an empty one to none', () => {
    expect(foldAll([])).toBeNull();
    expect(foldAll([started, baseline])?.state).toMatchObject({ status: 'running', phase: 'ready', counted: 0 });
  });

  it('knows the last prompts that were delivered, each once, and none that is older than one it does not know', () => {
    const [spec, begun] = [aSpec({ driver: 'session' }), { ...baseline, prompt: promptMark('one') }];
    const start = { ...started, event: { ...started.event, spec } } as Entry;
    const resumed = { ...baseline, event: { kind: 'session-resumed' } } as const;
    const again = (text: string): Entry => ({ ...resumed, prompt: promptMark(text) });
    const linesAfter = (...entries: readonly Entry[]): unknown =>
      foldAll([start, ...entries])?.state.prompts?.map(({ line }) => line);
    expect(linesAfter(begun, again('two'), again('one'))).toEqual(['two', 'one']);
    expect(linesAfter(begun, ...['2', '3', '4', '5'].map(again))).toEqual(['2', '3', '4', '5']);
    const steered = {
      ...baseline,
      event: { kind: 'steering-given', text: 'x' },
      decision: { kind: 'record' },
    } as const;
    expect(linesAfter(begun, steered)).toEqual(['one']);
    // As written by a version without prompts.
    expect(linesAfter(begun, resumed)).toBeUndefined();
  });

  it('replays an honest history without a difference, whatever the order of keys', () => {
    const shuffled = {
      ...baseline,
      decision: {
        unmet: [{ kind: 'claim' }],
        rerun: false,
        delayMs: 0,
        last: false,
        strategy: 'steady',
        iteration: 1,
        kind: 'continue',
      } as const,
    };
    expect(replay([started, baseline]).differences).toEqual([]);
    expect(replay([started, shuffled]).differences).toEqual([]);
  });

  it('shows a decision that the evidence does not bear out', () => {
    const lie: Entry = { ...baseline, decision: { kind: 'complete', verified: true, proofs: [] } };
    expect(replay([started, lie]).differences).toEqual([
      { revision: 2, recorded: lie.decision, recomputed: baseline.decision },
    ]);
  });

  it('takes a line that is not an entry for torn', () => {
    for (const line of ['', '{', 'null', '[]', '"x"', '{"v":1}', JSON.stringify(baseline).slice(0, -3)])
      expect(parseEntry(line, 'f')).toBeUndefined();
    expect(parseEntry(JSON.stringify(baseline), 'f')).toEqual(baseline);
  });

  it('refuses an entry of another version instead of guessing', () => {
    for (const v of [2, 0, '1', null]) {
      expect(() => parseEntry(JSON.stringify({ ...baseline, v }), 'journal.jsonl')).toThrow(
        expect.objectContaining({ code: 'JOURNAL_VERSION_UNKNOWN' }),
      );
    }
  });

  it('names faults by their name, so that a second copy of the package is understood', () => {
    expect(isFault(Object.assign(new Error('x'), { name: 'Fault', code: 'USAGE' }))).toBe(true);
    expect(isFault(new Error('x'))).toBe(false);
  });
});
