import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectPlace } from '../engine/loop-of-file.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import { runSync } from '../engine/pipeline.ts';
import type { Effects, Store } from '../engine/ports.ts';
import { archiveText } from '../stores/archive.ts';
import { countTurn } from '../stores/day-turns.ts';
import { openFileStore } from '../stores/file-store.ts';
import type { Clock } from '../system/clock.ts';
import { systemClock } from '../system/clock.ts';
import { fileEffects } from '../system/file-effects.ts';
import { currentPlatform, tirelessHome } from '../system/paths.ts';
import { probeFiles } from './probe-files.ts';

export type EmbeddedEngineOptions = {
  /** Where loops are kept, absolute; default: `$TIRELESS_HOME` or its default. */
  readonly home?: string;
  /** Runs the checks (`createProbes(…).probeSync`). Without it only the files of the project are read, and no check ever passes. */
  readonly probe?: Effects['probe'];
  readonly clock?: Pick<Clock, 'read'>;
  /** For problems that are not failures but that the user should see. */
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
    probe: options.probe ?? probeFiles,
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
