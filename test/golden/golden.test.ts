/** Journals, snapshots and dialect files of every shape that was ever released: read, replayed and driven on for ever. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/core/decide.ts';
import { foldAll, foldEntry, JOURNAL_VERSION, replay } from '../../src/core/journal.ts';
import { isEdited } from '../../src/engine/live-file.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { openLineStore } from '../../src/stores/line-store.ts';
import { sha256 } from '../../src/system/ids.ts';
import { allDialects } from '../support/all-dialects.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { aStop } from '../support/hook-payload.ts';
import { allStories, entriesOf, forgedIn, homeWith, storeWith } from './shapes.ts';

const DIST = path.join(import.meta.dirname, '../../dist');
const stories = allStories();
const dialects = (await allDialects()).map(({ dialect }) => dialect);

it('sees what it judges', () => {
  const seen = (text: string): number => stories.filter(({ folder }) => folder.includes(text)).length;
  expect(stories.length).toBeGreaterThan(100);
  for (const { name } of dialects) expect(seen(`${name}-running`)).toBeGreaterThan(1);
  const guards = new Set(stories.map(({ left }) => (left.outcome?.kind === 'halted' ? left.outcome.guard : null)));
  for (const guard of ['iterations-max', 'duration-max', 'cost-max', 'tokens-max', 'faults-in-row', 'no-progress'])
    expect(guards).toContain(guard);
  const statuses = new Set(stories.map(({ left }) => left.status));
  expect(statuses).toEqual(new Set(['running', 'paused', 'completed', 'halted', 'cancelled']));
  for (const { ways } of stories) expect(ways.size).toBe(5);
});

it('sees what came with the clean room', () => {
  const entries = stories.flatMap(entriesOf);
  const events = new Set<string>(entries.map(({ event }) => event.kind));
  for (const kind of ['attempt-refused', 'tampering-found', 'watcher-began', 'watcher-acted', 'watcher-ended'])
    expect(events).toContain(kind);
  const rooms = new Set(entries.map(({ evidence }) => evidence.room?.kind));
  expect(rooms).toContain('judged');
  expect(entries.some(({ evidence }) => evidence.roomBaseline?.kind === 'kept')).toBe(true);
  expect(entries.some(({ decision }) => decision.kind === 'continue' && decision.waiting === true)).toBe(true);
  expect(entries.filter(({ prompt }) => prompt !== undefined).length).toBeGreaterThan(50);
});

describe.each(stories.map((story) => [story.title, story] as const))('%s', (_, story) => {
  const { left, ways } = story;

  it('is loaded with its snapshot as it was left, and replays without a difference', () => {
    const store = storeWith(story);
    const entries = store.entries(left.loop);
    const replayed = replay(entries);
    expect(replayed.differences.map(({ revision }) => revision)).toEqual(forgedIn(entries));
    expect(entries).toHaveLength(left.entries);
    const { loop: _id, entries: _count, ...stood } = left;
    const loaded = store.load(left.loop);
    expect(loaded?.state).toMatchObject(stood);
    expect({ asked: loaded?.asked, spec: loaded?.spec, state: loaded?.state }).toEqual(replayed.loop);
    expect(store.list({ ended: 'both' })).toEqual([loaded]);
    expect(openLineStore({ home: homeWith(story), quick: true }).load(left.loop)).toEqual(loaded);
    store.close();
  });

  it('decides what comes next as the program that recorded it did', () => {
    const begun = foldAll(entriesOf(story));
    for (const [way, steps] of ways) {
      let loop = begun;
      for (const [index, step] of steps.entries()) {
        if (loop === null) throw new Error('a recorded loop has begun');
        const { way: _way, ...draft } = step;
        const { event, evidence, decision } = draft;
        expect({ way, index, decision: decide(loop.spec, loop.state, event, evidence) }).toEqual({
          way,
          index,
          decision,
        });
        if (decision.kind !== 'abstain')
          loop = foldEntry(loop, { v: JOURNAL_VERSION, revision: 0, prev: null, ...draft });
      }
    }
  });

  it('continues in its store', () => {
    for (const [way, steps] of ways) {
      const store = storeWith(story);
      for (const { way: _way, ...draft } of steps) {
        const loaded = store.load(left.loop);
        if (loaded === undefined) throw new Error('a recorded loop is there');
        if (draft.decision.kind === 'abstain') continue;
        expect({ way, kind: store.commit(left.loop, loaded.head, draft).kind }).toEqual({ way, kind: 'committed' });
      }
      const entries = store.entries(left.loop);
      const differences = replay(entries).differences.map(({ revision }) => revision);
      expect({ way, differences }).toEqual({ way, differences: forgedIn(entries) });
      store.close();
    }
  });
});

const withFile = stories.flatMap((story) =>
  story.file === undefined ? [] : [[story.title, story, story.file] as const],
);

it.each(withFile)('%s: finds its file as it left it, and has nothing to write', (_, story, file) => {
  const loop = foldAll(entriesOf(story));
  const dialect = dialects.find(({ name }) => name === loop?.spec.dialect?.name);
  if (loop === null || dialect === undefined) throw new Error('no loop, or no dialect');
  expect(isEdited(loop.state, { text: file, hash: sha256(file) })).toBe(false);
  expect(dialect.project(file, loop)).toBe(file);
  expect(dialect.read(file)).toMatchObject({ kind: 'loop', active: loop.state.status === 'running' });
});

const inSession = stories.flatMap((story) =>
  story.title.endsWith(' session-long') ? [[story.title, story] as const] : [],
);

it.each(inSession)('%s: the stop hook of this build continues, and leaves a snapshot of its own', (_, story) => {
  const home = homeWith(story);
  const { loop, counted } = story.left;
  const store = openFileStore({ home });
  store.bindSession({ host: 'claude-code', id: 'session-1' }, loop);
  const stamps = [1, 2].map((stop) => {
    const ran = spawnSync(process.execPath, [path.join(DIST, 'hook.cjs'), 'claude-code', home], {
      input: aStop(home, `Stop ${stop} after the update.`, { stop_hook_active: true }),
      env: { ...cleanEnvironment(home), CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000' },
      encoding: 'utf8',
    });
    expect(ran.stdout).toContain(`[tireless:${counted + stop + 1}]`);
    const snapshot = readFileSync(path.join(home, 'loops', loop, 'snapshot.json'), 'utf8');
    expect(snapshot).toContain(`"end":${statSync(path.join(home, 'loops', loop, 'journal.jsonl')).size},`);
    return /"stamp":"([^"]+)"/u.exec(snapshot)?.[1];
  });
  expect(stamps).toEqual([expect.stringMatching(/-[0-9a-f]{16}$/u), stamps[0]]);
  expect(replay(store.entries(loop)).differences).toEqual([]);
  expect(store.load(loop)?.state).toMatchObject({ status: 'running', counted: counted + 2 });
  store.close();
});
