/**
 * A program that runs an Athena session: a loop in a tracker, and a server for forwarded events. Arguments: home, tracker, socket, what to do when it
 * is ready (`wait` or `leave`). Prints `ready`, then the warnings.
 */
import { writeSync } from 'node:fs';
import { cleanupOnExit, createLoopManager, loopCallbacks, startHookServer } from '../../../src/facades/athena/index.ts';

const [home = '', tracker = '', socketPath = '', then = ''] = process.argv.slice(2);
const logger = { warn: (sentence: string): void => void writeSync(1, `${sentence}\n`), info: (): void => undefined };
const config = { enabled: true, completionMarker: 'E2E_COMPLETE', maxIterations: 15 };
const manager = createLoopManager(tracker, config, { home, logger });
cleanupOnExit(manager);
await startHookServer({
  socketPath,
  callbacks: {
    getRules: () => [],
    enqueuePermission: () => undefined,
    enqueueQuestion: () => undefined,
    logger,
    ...loopCallbacks(manager),
  },
});
writeSync(1, 'ready\n');
if (then === 'leave') process.exit(0);
