import path from 'node:path';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectHandled, Extras } from '../../src/engine/dialect-loop.ts';
import { handleDialectEvent, loopOfFile } from '../../src/engine/dialect-loop.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type { Effects, Loaded, Store, TurnReport } from '../../src/engine/ports.ts';
import { openMemoryStore } from '../../src/stores/memory-store.ts';
import { sha256 } from '../../src/system/ids.ts';
import { aClock } from './a-loop.ts';

/** A dialect on the real engine, with files and loops in memory: what a session's stops do to its file. */
export type DialectWorld = {
  readonly store: Store;
  readonly files: Map<string, string>;
  readonly effects: Effects;
  /** One stop of a session with the agent's last message. Each call is another stop. */
  stop(file: string, message: string, session?: string, extras?: Extras): DialectHandled;
  loop(file: string): Loaded | undefined;
  /** The same again, from where it stands: what happens there is not seen here. Much cheaper than to come there by the same stops. */
  fork(): DialectWorld;
  /** Time passes, and nobody does anything. */
  wait(ms: number): void;
};

export const PROJECT = '/project';

/** How a world came to be as it is. `kept`: all that was given to its store, in order. */
type Past = {
  readonly kept: readonly ((store: Store) => unknown)[];
  readonly files: ReadonlyMap<string, string>;
  readonly made: number;
  readonly stops: number;
  /** How often someone else wrote a file: each takes a moment. */
  readonly edits: number;
  readonly turns: number;
  readonly looks: number;
};

const NO_PAST: Past = { kept: [], files: new Map(), made: 0, stops: 0, edits: 0, turns: 0, looks: 0 };

export function aDialectWorld(dialect: Dialect): DialectWorld {
  return worldAfter(NO_PAST, dialect);
}

/** What `set` writes is someone else's, at a moment of its own; what the engine writes is of the moment it is in. */
function filesWithTimes(past: ReadonlyMap<string, string>, nextMoment: () => number) {
  const files = new Map(past);
  const times = new Map<string, number>();
  const write = files.set.bind(files);
  const writeNow = (file: string, text: string, nowMs: number): Map<string, string> => {
    times.set(file, nowMs);
    return write(file, text);
  };
  files.set = (file, text) => writeNow(file, text, nextMoment());
  return { files, writeNow, changedMs: (file: string): number => times.get(file) ?? 0 };
}

function worldAfter(past: Past, dialect: Dialect): DialectWorld {
  const store = openMemoryStore();
  for (const given of past.kept) given(store);
  let { made, stops, edits, turns } = past;
  let laterMs = 0;
  const readClock = (): ReturnType<typeof aClock> => aClock(stops * 1000 + edits + laterMs);
  const { files, writeNow, changedMs } = filesWithTimes(past.files, () => {
    edits += 1;
    return readClock().wallMs;
  });
  // The agent works: no look at the project finds it as the last one did.
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
      return text === undefined ? null : { text, hash: sha256(text), changedMs: changedMs(file) };
    },
    hashText: (text) => sha256(text),
    replaceFile: (file, was, text) => {
      const now = files.get(file);
      if ((now === undefined ? null : sha256(now)) !== was) return 'changed';
      if (text === null) files.delete(file);
      else writeNow(file, text, readClock().wallMs);
      return 'replaced';
    },
    countTurn: () => ++turns,
  };
  const absolute = (file: string): string => path.posix.join(PROJECT, file);
  return {
    store,
    files,
    effects,
    stop: (file, message, session = 'session-1', extras = {}) => {
      stops += 1;
      const report: TurnReport = { message };
      const mark = { messageHash: sha256(message), transcriptBytes: stops };
      const place = {
        live: { dialect, path: absolute(file) },
        cwd: PROJECT,
        file,
        session: { host: 'claude-code', id: session },
        lastSeenMs: () => undefined,
      };
      return runSync(
        handleDialectEvent(place, { kind: 'turn-ended', iteration: null, worker: null, mark }, report, extras),
        effects,
      );
    },
    loop: (file) => runSync(loopOfFile({ live: { dialect, path: absolute(file) } }), effects),
    fork: () => worldAfter({ kept, files, made, stops, edits, turns, looks }, dialect),
    wait: (ms) => {
      laterMs += ms;
    },
  };
}
