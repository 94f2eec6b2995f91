import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { followChild, outputTail, startChild, type Supervised, type SuperviseRequest } from './supervise.ts';

/**
 * Supervision for a caller that must not return to the event loop. `spawnSync` is not enough: it cannot keep a bounded tail, and it waits for a pipe
 * that a detached grandchild holds open. So a thread watches the child while this one blocks. The thread takes about 50 ms to start and is kept for
 * the next command; it does not keep the process alive.
 */
export type SyncSupervision = {
  readonly pid: number | undefined;
  /** Blocks until the child has ended or the time is over; `undefined` = the time is over. */
  readonly wait: (ms: number) => Supervised | undefined;
  readonly close: () => void;
};

const DONE = 0;
const PID = 1;
/** A machine under load may take long to start a thread. */
const START_MS_MAX = 30_000;

let helper: Worker | undefined;

export function superviseSync(request: SuperviseRequest): SyncSupervision {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const shared = new Int32Array(new SharedArrayBuffer(8));
  helper ??= startHelper();
  helper.postMessage({ request, shared, port: theirs }, [theirs]);
  Atomics.wait(shared, PID, 0, START_MS_MAX);
  const pid = Atomics.load(shared, PID);
  return {
    pid: pid > 0 ? pid : undefined,
    wait: (ms) => {
      Atomics.wait(shared, DONE, 0, Math.max(0, ms));
      const result: Supervised | undefined = receiveMessageOnPort(ours)?.message;
      return result;
    },
    close: () => {
      ours.close();
      if (Atomics.load(shared, DONE) === 1) return;
      // The thread still watches a child that nothing can end, so the next command gets a new one.
      void helper?.terminate();
      helper = undefined;
    },
  };
}

function startHelper(): Worker {
  // The child gets its environment from the request; the thread needs none.
  const worker = new Worker(SOURCE, { eval: true, execArgv: [], env: {} });
  worker.unref();
  return worker;
}

/** Every function is passed as text and as an argument: a bundler may rename functions, so no text may refer to another by name. */
const SOURCE = `
const childProcess = require('node:child_process');
require('node:worker_threads').parentPort.on('message', ({ request, shared, port }) => {
  const child = (${String(startChild)})(childProcess, request);
  const { pid, done } = (${String(followChild)})(child, ${String(outputTail)}, request, () => undefined);
  Atomics.store(shared, ${PID}, pid ?? -1);
  Atomics.notify(shared, ${PID});
  done.then((result) => {
    port.postMessage(result);
    port.close();
    Atomics.store(shared, ${DONE}, 1);
    Atomics.notify(shared, ${DONE});
  });
});
`;
