import { afterEach, expect, it, vi } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { Store } from '../../src/engine/ports.ts';
import { aCheck, aResult } from '../support/a-loop.ts';
import { aDraft, aSessionSpec, aStartDraft, aStop, begin, commit, post, steering } from '../support/drafts.ts';

export type Opened = {
  readonly store: Store;
  /** The same loops in another process, as far as that can be simulated. */
  readonly reopen: () => Store;
  readonly dispose: () => void;
};

const HOSTILE_IDS = [
  '',
  '.',
  '..',
  '../../etc',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'con',
  'x'.repeat(5000),
  'A\u0000b',
  '\ud800',
  'Ä',
  '-rf',
  ' ',
];

/** What every store promises, however it is implemented. */
export function storeContract(open: () => Opened): void {
  const opened: Opened[] = [];
  const setUp = (): Opened => {
    const one = open();
    opened.push(one);
    return one;
  };
  afterEach(() => {
    for (const one of opened.splice(0)) one.dispose();
  });

  it('records what it commits, for every reader', () => {
    const { store, reopen } = setUp();
    const begun = begin(store, 'a');
    const loaded = commit(store, begun, steering('mind the tests'));

    expect(loaded.head.revision).toBe(3);
    expect(loaded.state.steering).toEqual(['mind the tests']);
    expect(store.load('a')).toEqual(loaded);
    expect(reopen().load('a')).toEqual(loaded);
    expect(
      reopen()
        .entries('a')
        .map((entry) => [entry.revision, entry.event.kind]),
    ).toEqual([
      [1, 'loop-started'],
      [2, 'baseline-taken'],
      [3, 'steering-given'],
    ]);
  });

  it('links every entry to the one it follows', () => {
    const { store } = setUp();
    const begun = begin(store, 'a');
    commit(store, begun, steering('one'));
    const entries = store.entries('a');

    expect(entries[0]?.prev).toBeNull();
    expect(entries[2]?.prev).toBe(begun.head.hash);
    expect(new Set(entries.map((entry) => entry.prev)).size).toBe(3);
  });

  it('refuses a commit that follows an old head', () => {
    const { store, reopen } = setUp();
    const other = reopen();
    const begun = begin(store, 'a');
    expect(other.load('a')).toEqual(begun);
    const won = commit(store, begun, steering('first'));

    expect(other.commit('a', begun.head, aDraft(begun, steering('second')))).toEqual({ kind: 'conflict' });
    expect(store.commit('a', begun.head, aDraft(begun, steering('third')))).toEqual({ kind: 'conflict' });
    for (const reader of [store, other, reopen()]) expect(reader.load('a')).toEqual(won);
  });

  it('commits for whoever decides again after a conflict', () => {
    const { store, reopen } = setUp();
    const other = reopen();
    begin(store, 'a');
    for (const [index, writer] of [store, other, other, store].entries()) post(writer, 'a', aStop(`stop ${index}`));

    expect(reopen().load('a')?.state.counted).toBe(4);
    expect(reopen().load('a')?.head.revision).toBe(6);
  });

  it('tells two equal drafts apart: one is committed, one is refused', () => {
    const { store, reopen } = setUp();
    const begun = begin(store, 'a');
    const draft = aDraft(begun, aStop('the same'));
    const results = [store, reopen(), reopen()].map((writer) => writer.commit('a', begun.head, draft).kind);

    expect(results).toEqual(['committed', 'conflict', 'conflict']);
    expect(store.load('a')?.state.counted).toBe(1);
  });

  it('refuses a second loop of the same id', () => {
    const { store, reopen } = setUp();
    const begun = begin(store, 'a');

    expect(reopen().create('a', aStartDraft('a'))).toEqual({ kind: 'conflict' });
    expect(store.load('a')).toEqual(begun);
  });

  it.each(HOSTILE_IDS)('finds nothing under an id nobody made: %j', (id) => {
    const { store } = setUp();
    begin(store, 'a');

    expect(store.load(id)).toBeUndefined();
    expect(store.entries(id)).toEqual([]);
    expect(store.commit(id, { revision: 1, hash: 'x' }, aDraft(begin(store, 'b'), steering('x')))).toEqual({
      kind: 'conflict',
    });
    expect(store.loopOfSession({ host: id, id })).toBeUndefined();
  });

  it('keeps every odd id apart from the others', () => {
    const { store, reopen } = setUp();
    for (const id of HOSTILE_IDS) begin(store, id, aSessionSpec({ goal: `goal of ${id}` }));

    for (const id of HOSTILE_IDS) expect(reopen().load(id)?.spec.goal).toBe(`goal of ${id}`);
    expect(reopen().list({ ended: 'both' })).toHaveLength(HOSTILE_IDS.length);
  });

  it('keeps a goal of a megabyte, character by character', () => {
    const { store, reopen } = setUp();
    const goal = `${'He said "no", `ran`, \\ and left. 🚀\n\u2028\u0000 '.repeat(30_000)}\ud800 alone \udc00`;
    const begun = begin(store, 'a', aSessionSpec({ goal }));
    const loaded = commit(store, begun, steering(goal));

    expect(goal.length).toBeGreaterThan(1_000_000);
    expect(reopen().load('a')?.spec.goal === goal).toBe(true);
    expect(reopen().load('a')?.state.steering[0] === goal).toBe(true);
    expect(loaded.spec.goal === goal).toBe(true);
    expect(store.entries('a')[2]?.event).toEqual(steering(goal));
  });

  it("keeps a user's value that looks like one of ours", () => {
    const { store, reopen } = setUp();
    const equals = { $blob: 'f'.repeat(64), bytes: 3, $$blob: { $blob: ['x'.repeat(10_000)] }, ['__proto__x']: 1 };
    const check = aCheck('json', { probe: { kind: 'json-value', path: 'a.json', pointer: '', equals } });
    begin(store, 'a', aSessionSpec({ checks: [check] }));

    expect(reopen().load('a')?.spec.checks).toEqual([check]);
    expect(store.entries('a')[0]?.event).toMatchObject({ spec: { checks: [check] } });
  });

  it('keeps evidence of very many small facts', () => {
    const { store, reopen } = setUp();
    const checks = Array.from({ length: 300 }, (_, index) =>
      aResult(`check ${index}`, 'failed', { tail: '\u0007'.repeat(900) }),
    );
    const criteriaMet = Array.from({ length: 5000 }, (_, index) => `criterion ${index}`);
    const loaded = commit(store, begin(store, 'a'), aStop('one'), { checks, criteriaMet });

    expect(loaded.state.checks).toEqual(checks);
    expect(reopen().load('a')).toEqual(loaded);
    expect(reopen().entries('a')[2]?.evidence).toMatchObject({ checks, criteriaMet });
  });

  it('gives a journal that replays without a difference', () => {
    const { store, reopen } = setUp();
    begin(store, 'a', aSessionSpec({}, 3));
    for (const mark of ['one', 'two', 'three']) post(store, 'a', aStop(mark));
    const { loop, differences } = replay(reopen().entries('a'));

    expect(differences).toEqual([]);
    expect(loop?.state.status).toBe('halted');
    expect(loop?.state).toEqual(reopen().load('a')?.state);
  });

  it('lists three hundred loops, those that ended apart', () => {
    const { store, reopen } = setUp();
    const ids = Array.from({ length: 300 }, (_, index) => `loop-${String(index).padStart(3, '0')}`);
    for (const [index, id] of ids.entries()) {
      const begun = begin(store, id);
      if (index % 3 === 0) commit(store, begun, { kind: 'cancel-requested' });
    }
    const listed = (ended: boolean | 'both'): readonly string[] =>
      reopen()
        .list({ ended })
        .map(({ state }) => state.loop);

    expect(listed('both')).toEqual(ids);
    expect(listed(true)).toEqual(ids.filter((_, index) => index % 3 === 0));
    expect(listed(false)).toEqual(ids.filter((_, index) => index % 3 !== 0));
  });

  it('lists a loop as it is, not as it was when it came to rest', () => {
    const { store, reopen } = setUp();
    const paused = commit(store, begin(store, 'a', aSessionSpec({}, 1)), { kind: 'pause-requested' });
    expect(reopen().list({ ended: false })).toEqual([paused]);
    commit(store, paused, { kind: 'resume-requested' });
    post(store, 'a', aStop('last'));
    const halted = reopen().load('a');
    expect(reopen().list({ ended: true })).toEqual([halted]);
    expect(halted?.state.status).toBe('halted');

    post(store, 'a', { kind: 'resume-requested', limits: { iterationsMax: 5 } });
    expect(reopen().list({ ended: false })).toEqual([reopen().load('a')]);
    expect(reopen().list({ ended: true })).toEqual([]);
  });

  it('lists nothing in an empty store', () => {
    expect(setUp().store.list({ ended: 'both' })).toEqual([]);
  });

  it('finds the loop of a session by host and id', () => {
    const { store, reopen } = setUp();
    const sessions = [
      { host: 'claude-code', id: 'abc' },
      { host: 'claude-code', id: 'ABC' },
      { host: 'codex', id: 'abc' },
      { host: '../up', id: '../../../etc/passwd' },
      { host: 'claude-code', id: 'x'.repeat(3000) },
    ];
    for (const [index, session] of sessions.entries()) store.bindSession(session, `loop-${index}`);

    expect(sessions.map((session) => reopen().loopOfSession(session))).toEqual(
      sessions.map((_, index) => `loop-${index}`),
    );
    expect(reopen().loopOfSession({ host: 'codex', id: 'ABC' })).toBeUndefined();
    store.bindSession({ host: 'codex', id: 'abc' }, 'another');
    expect(reopen().loopOfSession({ host: 'codex', id: 'abc' })).toBe('another');
  });

  it('binds a session once: the first that comes after the same loop wins, and the others learn of it', () => {
    const { store, reopen } = setUp();
    const session = { host: 'dialect-x', id: '/project/state.md' };
    expect(store.bindFirst(session, 'one', undefined)).toBe('one');
    expect(reopen().bindFirst(session, 'two', undefined)).toBe('one');
    expect(reopen().bindFirst(session, 'two', 'one')).toBe('two');
    expect(store.bindFirst(session, 'three', 'one')).toBe('two');
    expect(store.bindFirst(session, 'three', undefined)).toBe('two');
    expect(reopen().loopOfSession(session)).toBe('two');
  });

  it('tells a watcher of every change until it stops', async () => {
    const { store, reopen } = setUp();
    const changed = vi.fn<() => void>();
    const begun = begin(store, 'a');
    const watching = reopen().watch('a', changed);
    const next = commit(store, begun, steering('one'));
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 5000);
    watching.stop();
    changed.mockClear();
    const second = vi.fn<() => void>();
    const control = reopen().watch('a', second);
    commit(store, next, steering('two'));
    await vi.waitFor(() => expect(second).toHaveBeenCalled(), 5000);
    control.stop();

    expect(changed).not.toHaveBeenCalled();
  });

  it('refuses what `decide` never gives, and stays as it was', () => {
    const { store } = setUp();
    const begun = begin(store, 'a');
    const abstaining = { ...aDraft(begun, steering('x')), decision: { kind: 'abstain', because: 'ended' } as const };

    expect(() => store.commit('a', begun.head, abstaining)).toThrow('an abstention is not committed');
    expect(store.load('a')).toEqual(begun);
  });
}
