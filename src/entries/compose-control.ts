import type { SessionWorld } from '../cli/services.ts';
import { embeddedControl } from '../engine/control.ts';
import type { Control, Store } from '../engine/ports.ts';
import { forgetJobs } from '../evidence/check-jobs.ts';
import type { CheckUpdate } from '../evidence/probe.ts';
import { createProbes } from '../evidence/probe.ts';
import { hasNativeGoal } from '../hosts/native-goal.ts';
import { archiveText } from '../stores/archive.ts';
import { readHeartbeat } from '../stores/heartbeat.ts';
import { systemClock } from '../system/clock.ts';
import { fileEffects } from '../system/file-effects.ts';
import { liveFileOf } from './dialects.ts';
import { probeInSession } from './session-checks.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';

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
    files: fileEffects(clock, archivingIn(home)),
    liveFileOf,
  });
}

/** What a document deletes when its loop is done stays beside the journal. */
function archivingIn(home: string): (loop: string, file: string, text: string) => string {
  return (loop, file, text) => archiveText(home, loop, file, text);
}

/** The same world for one event of a session. */
export function openSession(store: Store, home: string): SessionWorld {
  const clock = systemClock();
  const files = fileEffects(clock, archivingIn(home));
  const probes = createProbes({ readHeartbeat: (loop) => readHeartbeat(home, loop) });
  const probe = probeInSession(home, probes.probe);
  return {
    effects: { ...store, readClock: clock.read, probe, ...files },
    forgetChecks: (loop) => forgetJobs(home, loop),
    hostEnvironment: HOST_ENVIRONMENT,
    hasNativeGoal: (host, transcript) => hasNativeGoal(host, transcript, HOST_ENVIRONMENT.transcripts),
  };
}
