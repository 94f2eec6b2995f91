import { readFileSync } from 'node:fs';
import { isEnded } from '../core/loop.ts';
import { answerJob, fingerprintFiles, parseOrder } from '../evidence/job-process.ts';
import { endJob } from '../evidence/end-jobs.ts';
import { createProbes } from '../evidence/probe.ts';
import { openFileStore } from '../stores/file-store.ts';
import { readHeartbeat } from '../stores/heartbeat.ts';
import { systemClock } from '../system/clock.ts';
import { ignoringErrno } from '../system/errno.ts';
import { thisWorker } from '../system/worker-identity.ts';
import { checkRecorder } from './record-checks.ts';
import { roomWorldIn } from './room-world.ts';

/** `node check-job.js HOME LOOP KEY`: runs the checks of a session in a process that no host ends. Its secret comes on stdin. */
const order = parseOrder(readFileSync(0, 'utf8'));
const [home = '', loop = '', key = ''] = process.argv.slice(2);
const store = openFileStore({ home });
const { probe } = createProbes({
  readHeartbeat: (of) => readHeartbeat(home, of),
  rooms: roomWorldIn(home),
  onCheck: checkRecorder(store, home),
});

/** The loop has ended, is gone, or has a driver that runs the checks itself: whoever did that need not know about us. */
function isOver(): boolean {
  // Closes first: an open handle would still see a journal that was removed.
  store.close();
  const loaded = store.load(loop);
  return loaded === undefined || isEnded(loaded.state) || loaded.spec.driver !== 'session';
}

function look(): void {
  // A journal that cannot be read shows nothing about its loop.
  if (ignoringErrno(isOver) === true) void endJob({ home, loop, key }).then(() => process.exit());
}

store.watch(loop, look);
look();
await answerJob({ home, loop, key, worker: thisWorker(systemClock()), order }, probe, fingerprintFiles);
