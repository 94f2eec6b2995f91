import type { LoopId } from '../core/loop.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import { runSync } from '../engine/pipeline.ts';
import type { Effects, ProbeAnswer, ProbeRequest, Store } from '../engine/ports.ts';
import { archiveText } from '../stores/archive.ts';
import { openFileStore } from '../stores/file-store.ts';
import type { Clock } from '../system/clock.ts';
import { systemClock } from '../system/clock.ts';
import { fileEffects } from '../system/file-effects.ts';
import { currentPlatform, tirelessHome } from '../system/paths.ts';

export type EmbeddedEngineOptions = {
  /** Where loops are kept, absolute; `$TIRELESS_HOME` or its default otherwise. */
  readonly home?: string;
  /** The eyes for checks (`createProbes(…).probeSync`). Without them nothing is looked at, and no check ever passes. */
  readonly probe?: Effects['probe'];
  readonly clock?: Pick<Clock, 'read'>;
  /** For what a user should know and nothing fails for. */
  readonly warn?: (sentence: string) => void;
};

/** The engine on this machine, as the programmatic interfaces of the documents use it: synchronous, with loops in files. */
export type EmbeddedEngine = {
  readonly home: string;
  readonly store: Store;
  readonly effects: Effects;
  readonly run: <R>(pipeline: Pipeline<R>) => R;
  /** Keeps a text durably beside the journal of its loop, before the file it stood in is removed; says where. */
  readonly archive: (loop: LoopId, name: string, text: string) => string;
  /** Lets go of open files. The engine can still be used. */
  readonly close: () => void;
};

/** Throws a Fault when loops cannot be kept there. */
export function openEmbeddedEngine(options: EmbeddedEngineOptions = {}): EmbeddedEngine {
  const home = options.home ?? tirelessHome(currentPlatform());
  const clock = { ...systemClock(), ...options.clock };
  const store = openFileStore({ home, ...(options.warn === undefined ? {} : { warn: options.warn }) });
  const effects: Effects = {
    ...store,
    ...fileEffects(clock, (loop, file, text) => archiveText(home, loop, file, text)),
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

/** The documents know no checks. What was not looked at is unknown, which never completes a loop. */
export const probeNothing: Effects['probe'] = (batch) => batch.requests.map(unseen);

function unseen(request: ProbeRequest): ProbeAnswer {
  switch (request.kind) {
    case 'check':
      return {
        kind: 'check',
        result: { name: request.check.name, result: 'unknown', durationMs: 0, tail: '', unknown: 'not-run' },
      };
    case 'workspace':
      return { kind: 'workspace', fingerprint: null };
    case 'protected':
      return { kind: 'protected', facts: { hash: '', changed: ['(not looked at)'] } };
    case 'criteria':
      return { kind: 'criteria', met: [] };
    case 'holder':
      return { kind: 'holder', alive: true, seen: null };
  }
}
