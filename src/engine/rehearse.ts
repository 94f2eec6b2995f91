import type { ClockReading } from '../core/evidence.ts';
import { assert } from '../core/fault.ts';
import type { Loop } from '../core/journal.ts';
import { foldEntry, JOURNAL_VERSION } from '../core/journal.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { sessionKey } from '../core/loop.ts';
import type { CommitResult, Draft, Effects, Head, Loaded } from './ports.ts';
import { probeNothing } from './probe-nothing.ts';

/**
 * The same effects, but nothing is kept: commits, bindings and writes are visible only inside the rehearsal. So the real pipeline shows
 * what it would decide, without a second implementation.
 */
export function withoutWrites(effects: Effects): Effects {
  const loops = new Map<LoopId, Loaded>();
  const sessions = new Map<string, LoopId>();
  const files = new Map<string, string | null>();
  const load = (loop: LoopId): Loaded | undefined => loops.get(loop) ?? effects.load(loop);
  const loopOfSession = (session: SessionRef): LoopId | undefined =>
    sessions.get(sessionKey(session)) ?? effects.loopOfSession(session);
  const follow = (loop: LoopId, before: Loop | null, head: Head | null, draft: Draft): CommitResult => {
    const revision = (head?.revision ?? 0) + 1;
    const entry = { v: JOURNAL_VERSION, revision, prev: head?.hash ?? null, ...draft } as const;
    const loaded = { ...foldEntry(before, entry), head: { revision, hash: `rehearsed-${revision}` } };
    loops.set(loop, loaded);
    return { kind: 'committed', loaded };
  };
  return {
    ...effects,
    load,
    create: (loop, draft) => follow(loop, null, null, draft),
    commit: (loop, head, draft) => {
      const now = load(loop);
      return now === undefined || now.head.hash !== head.hash ? { kind: 'conflict' } : follow(loop, now, head, draft);
    },
    bindSession: (session, loop) => {
      sessions.set(sessionKey(session), loop);
    },
    bindFirst: (session, loop, was) => {
      const now = loopOfSession(session);
      if (now !== was && now !== undefined) return now;
      sessions.set(sessionKey(session), loop);
      return loop;
    },
    loopOfSession,
    readFile: (file) => {
      const text = files.get(file);
      if (text === undefined) return effects.readFile(file);
      return text === null ? null : { text, hash: effects.hashText(text) };
    },
    replaceFile: (file, _, text) => {
      files.set(file, text);
      return 'replaced';
    },
    tryWrite: () => {},
    // A rehearsal is not a turn.
    countTurn: () => 0,
  };
}

/** The time in a world without a clock. */
export const NEVER: ClockReading = { wallMs: 0, monotonicMs: 0, boot: 'none' };

/** A world for rehearsals in which every file contains this text. */
export function effectsOfText(text: string, hashText: (text: string) => string): Effects {
  return {
    readClock: () => NEVER,
    load: () => undefined,
    create: unexpected,
    commit: unexpected,
    probe: probeNothing,
    newLoop: () => ({ loop: 'rehearsed', machine: 'none' }),
    bindSession: unexpected,
    bindFirst: unexpected,
    loopOfSession: () => undefined,
    readFile: () => ({ text, hash: hashText(text) }),
    hashText,
    replaceFile: unexpected,
    tryWrite: unexpected,
    countTurn: () => 0,
  };
}

function unexpected(): never {
  assert(false, 'a rehearsal keeps what it changes to itself');
}
