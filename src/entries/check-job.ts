import { answerJob } from '../evidence/check-jobs.ts';
import { runSteps } from '../evidence/command-steps.ts';
import { createProbes } from '../evidence/probe.ts';
import { workspaceFingerprint } from '../evidence/workspace-fingerprint.ts';
import { readHeartbeat } from '../stores/heartbeat.ts';
import { systemClock } from '../system/clock.ts';
import { thisWorker } from '../system/worker-identity.ts';

/** `node check-job.js HOME LOOP KEY`: the checks of a session, in a process that no host ends. */
const [home = '', loop = '', key = ''] = process.argv.slice(2);
const { probe } = createProbes({ readHeartbeat: (of) => readHeartbeat(home, of) });
await answerJob({ home, loop, key, worker: thisWorker(systemClock()) }, probe, (cwd) =>
  runSteps(workspaceFingerprint(cwd)),
);
