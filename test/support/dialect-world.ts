import path from 'node:path';
import type { Event } from '../../src/core/event.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectHandled } from '../../src/engine/dialect-loop.ts';
import type { UserAdditions } from '../../src/engine/start-from-file.ts';
import type { Visitor } from '../../src/engine/file-owner.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import { loopOfFile } from '../../src/engine/loop-of-file.ts';
import { handleLiveEvent } from '../../src/engine/live-event.ts';
import { leaveSession } from '../../src/engine/obey-file.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type { Effects, Handled, Loaded, Store, TurnReport } from '../../src/engine/ports.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';
import { sha256 } from '../../src/system/ids.ts';
import { aClock } from './a-loop.ts';

/** A dialect on the real engine, with files and loops in memory: what a session's stops do to its file. */
export type DialectWorld = {
  readonly store: Store;
  readonly files: Map<string, string>;
  readonly effects: Effects;
  /** One stop of a session with the agent's last message. Each call is another stop. */
  stop(
    file: string,
    message: string,
    session?: string,
    more?: UserAdditions & Pick<TurnReport, 'sentBack'> & Pick<Visitor, 'restsSinceMs'>,
  ): DialectHandled;
  /** Posts what a user's command requests of the loop in a file (`tireless cancel`, `pause` …). */
  post(file: string, event: Event): Handled;
  /** The program of a session ends. */
  leave(file: string, session: string): void;
  loop(file: string): Loaded | undefined;
  /** A copy from the current position: what happens in it does not affect the original. Much cheaper than making the same stops again. */
  fork(): DialectWorld;
  /** Time passes, and nobody does anything. */
  wait(ms: number): void;
};

export const PROJECT = '/project';

/** How a world reached its state. `kept`: everything that was given to its store, in order. */
type Past = {
  readonly kept: readonly ((store: Store) => unknown)[];
  readonly files: ReadonlyMap<string, string>;
  readonly made: number;
  readonly stops: number;
  /** How often someone else wrote a file: each write takes a moment. */
  readonly edits: number;
  readonly turns: number;
  readonly looks: number;
};

const NO_PAST: Past = { kept: [], files: new Map(), made: 0, stops: 0, edits: 0, turns: 0, looks: 0 };

export function aDialectWorld(dialect: Dialect): DialectWorld {
  return worldAfter(NO_PAST, dialect);
}

/** What `set` writes is someone else's, at a moment of its own; what the engine writes has the time of its own moment. */
function filesWithTimes(past: ReadonlyMap<string, string>, nextMoment: () => number) {
  const files = new Map(past);
  const times = new Map<string, { readonly changedMs: number; readonly isOurs: boolean }>();
  const write = files.set.bind(files);
  const writeOurs = (file: string, text: string, nowMs: number): void => {
    times.set(file, { changedMs: nowMs, isOurs: true });
    write(file, text);
  };
  files.set = (file, text) => {
    times.set(file, { changedMs: nextMoment(), isOurs: false });
    return write(file, text);
  };
  return { files, writeOurs, timeOf: (file: string) => times.get(file) ?? { changedMs: 0 } };
}

function worldAfter(past: Past, dialect: Dialect): DialectWorld {
  const store = openMemoryStore();
  for (const given of past.kept) given(store);
  let { made, stops, edits, turns } = past;
  let laterMs = 0;
  const readClock = (): ReturnType<typeof aClock> => aClock(stops * 1000 + edits + laterMs);
  const { files, writeOurs, timeOf } = filesWithTimes(past.files, () => {
    edits += 1;
    return readClock().wallMs;
  });
  // The agent works: no two looks find the project the same.
  let { looks } = past;
  const kept = [...past.kept];
  const keeping = <R>(given: (into: Store) => R): R => {
    kept.push(given);
    return given(store);
  };
  const effects: Effects = {
    ...store,
    create: (...input) => keeping((into) => into.create(...input)),
    commit: (...input) => keeping((into) => into.commit(...input)),
    bindSession: (...input) => keeping((into) => into.bindSession(...input)),
    bindFirst: (...input) => keeping((into) => into.bindFirst(...input)),
    readClock,
    probe: (batch) =>
      batch.requests.map((request) =>
        request.kind === 'check'
          ? { kind: 'check', result: { name: request.check.name, result: 'failed', durationMs: 1, tail: '' } }
          : { kind: 'workspace', fingerprint: `tree-${++looks}` },
      ),
    newLoop: () => ({ loop: `loop-${++made}`, machine: 'm' }),
    readFile: (file) => {
      const text = files.get(file);
      return text === undefined ? null : { text, hash: sha256(text), ...timeOf(file) };
    },
    hashText: (text) => sha256(text),
    replaceFile: (file, was, text) => {
      const now = files.get(file);
      if ((now === undefined ? null : sha256(now)) !== was) return 'changed';
      if (text === null) files.delete(file);
      else writeOurs(file, text, readClock().wallMs);
      return 'replaced';
    },
    tryWrite: () => {},
    countTurn: () => ++turns,
  };
  const absolute = (file: string): string => path.posix.join(PROJECT, file);
  return {
    store,
    files,
    effects,
    stop: (file, message, session = 'session-1', { sentBack, restsSinceMs, ...extras } = {}) => {
      stops += 1;
      const report: TurnReport = { message, ...(sentBack === undefined ? {} : { sentBack }) };
      const mark = { messageHash: sha256(message), transcriptBytes: stops };
      const place = {
        live: { dialect, path: absolute(file) },
        cwd: PROJECT,
        file,
        session: { host: 'claude-code', id: session },
        lastSeenMs: () => undefined,
        ...(restsSinceMs === undefined ? {} : { restsSinceMs }),
      };
      return runSync(
        handleDialectEvent(place, { kind: 'turn-ended', iteration: null, worker: null, mark }, report, extras),
        effects,
      );
    },
    post: (file, event) => {
      const live = { dialect, path: absolute(file) };
      const loaded = runSync(loopOfFile({ live }), effects);
      if (loaded === undefined) throw new Error('there is no loop');
      return runSync(handleLiveEvent(loaded.state.loop, event, { noReply: true }, live), effects);
    },
    leave: (file, session) =>
      runSync(
        leaveSession({ live: { dialect, path: absolute(file) }, session: { host: 'claude-code', id: session } }),
        effects,
      ),
    loop: (file) => runSync(loopOfFile({ live: { dialect, path: absolute(file) } }), effects),
    fork: () => worldAfter({ kept, files, made, stops, edits, turns, looks }, dialect),
    wait: (ms) => {
      laterMs += ms;
    },
  };
}
