import type { SessionWorld } from '../cli/services.ts';
import { embeddedControl } from '../engine/control.ts';
import type { Control, Store } from '../engine/ports.ts';
import type { CheckUpdate } from '../evidence/probe.ts';
import { createProbes } from '../evidence/probe.ts';
import { lastMessageIn, transcriptBytes } from '../evidence/transcript-tail.ts';
import { readHeartbeat } from '../stores/heartbeat.ts';
import { systemClock } from '../system/clock.ts';
import { fileEffects } from '../system/file-effects.ts';
import { liveFileOf } from './dialects.ts';

/** The control port over a store in files, with checks as processes and foreign files on this disk. */
export function openControl(store: Store, home: string, onCheck?: (update: CheckUpdate) => void): Control {
  const clock = systemClock();
  const probes = createProbes({
    readHeartbeat: (loop) => readHeartbeat(home, loop),
    ...(onCheck === undefined ? {} : { onCheck }),
  });
  return embeddedControl(store, {
    readClock: clock.read,
    probe: probes.probe,
    files: fileEffects(clock),
    liveFileOf,
  });
}

/** The same world for one event of a session. */
export function openSession(store: Store, home: string): SessionWorld {
  const clock = systemClock();
  const { load, create, commit, bindSession, bindFirst, loopOfSession } = store;
  const files = fileEffects(clock);
  const { probe } = createProbes({ readHeartbeat: (loop) => readHeartbeat(home, loop) });
  return {
    effects: { readClock: clock.read, probe, ...files, load, create, commit, bindSession, bindFirst, loopOfSession },
    look: { hashText: files.hashText, bytesOf: transcriptBytes, lastMessageIn },
  };
}
