import path from 'node:path';
import type { Event } from '../core/event.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectPlace } from '../engine/dialect-loop.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import { runSync } from '../engine/pipeline.ts';
import type { Effects, Store } from '../engine/ports.ts';
import { probeNothing } from '../engine/probe-nothing.ts';
import { archiveText } from '../stores/archive.ts';
import { countTurn } from '../stores/day-turns.ts';
import { openFileStore } from '../stores/file-store.ts';
import type { Clock } from '../system/clock.ts';
import { systemClock } from '../system/clock.ts';
import { fileEffects } from '../system/file-effects.ts';
import { sha256 } from '../system/ids.ts';
import { currentPlatform, tirelessHome } from '../system/paths.ts';

export type EmbeddedEngineOptions = {
  /** Where loops are kept, absolute; default: `$TIRELESS_HOME` or its default. */
  readonly home?: string;
  /** Runs the checks (`createProbes(…).probeSync`). Without it nothing is looked at, and no check ever passes. */
  readonly probe?: Effects['probe'];
  readonly clock?: Pick<Clock, 'read'>;
  /** For things the user should know that are not a failure. */
  readonly warn?: (sentence: string) => void;
};

/** The engine on this machine, as the documents' programmatic interfaces use it: synchronous, with loops in files. */
export type EmbeddedEngine = {
  readonly home: string;
  readonly store: Store;
  readonly effects: Effects;
  readonly run: <R>(pipeline: Pipeline<R>) => R;
  /** Keeps a text durably beside the journal of its loop, before its file is removed; returns where. */
  readonly archive: (loop: LoopId, name: string, text: string) => string;
  /** Closes open files. The engine can still be used. */
  readonly close: () => void;
};

/** Throws a Fault if loops cannot be kept there. */
export function openEmbeddedEngine(options: EmbeddedEngineOptions = {}): EmbeddedEngine {
  const home = options.home ?? tirelessHome(currentPlatform());
  const clock = { ...systemClock(), ...options.clock };
  const store = openFileStore({ home, ...(options.warn === undefined ? {} : { warn: options.warn }) });
  const effects: Effects = {
    ...store,
    ...fileEffects(clock, (loop, file, text) => archiveText(home, loop, file, text)),
    countTurn: (project, day) => countTurn(home, project, day),
    readClock: clock.read,
    probe: options.probe ?? probeNothing,
  };
  return {
    home,
    store,
    effects,
    run: (pipeline) => runSync(pipeline, effects),
    archive: (loop, name, text) => archiveText(home, loop, name, text),
    close: store.close,
  };
}

/** Opens the engine for one call, and closes its files afterwards. Throws a Fault if loops cannot be kept there. */
export function withEngine<R>(options: EmbeddedEngineOptions, work: (engine: EmbeddedEngine) => R): R {
  const engine = openEmbeddedEngine(options);
  try {
    return work(engine);
  } finally {
    engine.close();
  }
}

/** A dialect's file. `file` is relative to the project. */
export function placeInProject(
  dialect: Dialect,
  project: string,
  file: string,
  session: SessionRef | null,
): DialectPlace {
  return { live: { dialect, path: path.resolve(project, file) }, cwd: project, file, session };
}

/** A stop. `transcriptBytes`, the length of the transcript, distinguishes one stop reported twice from two stops. */
export function stopEvent(message: string, transcriptBytes?: number): Event {
  const mark = transcriptBytes === undefined ? {} : { mark: { messageHash: sha256(message), transcriptBytes } };
  return { kind: 'turn-ended', iteration: null, worker: null, ...mark };
}

/** If others keep changing a file in between, we give up after this many tries. */
const CHANGE_TRIES_MAX = 20;

/**
 * Changes the current content of a state file: reads it again if someone else wrote in between, so that no edit is lost. `next` gets `null`
 * if there is no file, and returns the new text, `null` to remove the file, or the same text to keep it. `false` = someone kept
 * changing it.
 */
export function changeFile(
  { readFile, replaceFile }: Pick<Effects, 'readFile' | 'replaceFile'>,
  file: string,
  next: (text: string | null) => string | null,
): boolean {
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries++) {
    const bytes = readFile(file);
    const before = bytes?.text ?? null;
    const text = next(before);
    if (text === before || replaceFile(file, bytes?.hash ?? null, text) === 'replaced') return true;
  }
  return false;
}
