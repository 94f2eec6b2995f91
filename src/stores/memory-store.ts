/**
 * Loops kept in memory, with the semantics of the file store: a hash chain, a conflict for whoever follows an old head, and entries that have passed
 * through JSON. The commit point is the push of the line. For simulations and tests, which can make it fail at will.
 */
import { assert, Fault } from '../core/fault.ts';
import type { Entry, Loop } from '../core/journal.ts';
import { foldEntry, JOURNAL_VERSION, parseEntry } from '../core/journal.ts';
import type { LoopId } from '../core/loop.ts';
import { isEnded, sessionKey } from '../core/loop.ts';
import type { CommitResult, Draft, Head, Loaded, Store } from '../engine/ports.ts';
import { sha256 } from '../system/ids.ts';
import type { CrashPoint } from './crash-point.ts';
import { assertValid } from './state-validity.ts';

/**
 * `before`: a Fault, and nothing happened. `after`: a Fault, but the entry is committed and nobody learned of it. `conflict`: as if another writer
 * was faster.
 */
export type SimulatedFault = 'before' | 'after' | 'conflict' | undefined;

export type MemoryStoreOptions = {
  readonly crashPoint?: (name: CrashPoint) => void;
  readonly fail?: (operation: 'load' | 'commit' | 'create') => SimulatedFault;
};

type Made = { readonly loop: Loop; readonly head: Head };

type Kept = Made & { readonly lines: string[] };

export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  const kept = new Map<LoopId, Kept>();
  const sessions = new Map<string, LoopId>();
  const watchers = new Map<LoopId, Set<() => void>>();

  function append(loop: LoopId, head: Head | null, draft: Draft): CommitResult {
    const mishap = options.fail?.(head === null ? 'create' : 'commit');
    if (mishap === 'before') throw unwritable(loop, 'nothing was written');
    const now = kept.get(loop);
    if (mishap === 'conflict' || (now?.head.hash ?? null) !== (head?.hash ?? null)) return { kind: 'conflict' };
    const { line, ...next } = following(now, draft);
    const lines = now?.lines ?? [];
    options.crashPoint?.('before-append');
    lines.push(line);
    kept.set(loop, { ...next, lines });
    options.crashPoint?.('after-append');
    for (const changed of watchers.get(loop) ?? []) queueMicrotask(changed);
    if (mishap === 'after') throw unwritable(loop, 'it was written anyway');
    return { kind: 'committed', loaded: loadedOf(next) };
  }

  return {
    load: (loop) => {
      if (options.fail?.('load') !== undefined)
        throw new Fault('STORE_UNREADABLE', `Cannot read loop ${loop}: asked to fail. Try again.`);
      const now = kept.get(loop);
      return now === undefined ? undefined : loadedOf(now);
    },
    create: (loop, draft) => {
      assert(draft.event.kind === 'loop-started' && draft.event.loop === loop, 'a loop begins with its own start');
      return append(loop, null, draft);
    },
    commit: append,
    entries: (loop) => (kept.get(loop)?.lines ?? []).map(entryOf),
    list: (filter) =>
      [...kept.values()]
        .filter(({ loop }) => filter.ended === 'both' || filter.ended === isEnded(loop.state))
        .map(loadedOf)
        .toSorted((a, b) => (a.state.loop < b.state.loop ? -1 : 1)),
    watch: (loop, changed) => {
      const all = watchers.get(loop) ?? new Set();
      // Wrapped, because the same function may be registered twice.
      const call = (): void => {
        if (all.has(call)) changed();
      };
      watchers.set(loop, all.add(call));
      return { stop: () => void all.delete(call) };
    },
    bindSession: (session, loop) => void sessions.set(sessionKey(session), loop),
    bindFirst: (session, loop, was) => {
      const bound = sessions.get(sessionKey(session));
      if (bound !== was && bound !== undefined) return bound;
      sessions.set(sessionKey(session), loop);
      return loop;
    },
    loopOfSession: (session) => sessions.get(sessionKey(session)),
  };
}

function following(now: Kept | undefined, draft: Draft): Made & { readonly line: string } {
  const revision = (now?.head.revision ?? 0) + 1;
  const line = JSON.stringify({ v: JOURNAL_VERSION, revision, prev: now?.head.hash ?? null, ...draft });
  const loop = foldEntry(now?.loop ?? null, entryOf(line));
  assertValid(loop);
  return { loop, head: { revision, hash: sha256(line) }, line };
}

function entryOf(line: string): Entry {
  const entry = parseEntry(line, 'in memory');
  assert(entry !== undefined, 'an entry can be read back');
  return entry;
}

function loadedOf({ loop, head }: Made): Loaded {
  return { ...loop, head };
}

function unwritable(loop: LoopId, what: string): Fault {
  return new Fault('STORE_UNWRITABLE', `Cannot write loop ${loop}: asked to fail, ${what}. Try again.`);
}
