import path from 'node:path';
import { assert } from '../core/fault.ts';
import { createProbes } from '../evidence/probe.ts';
import type { StartedAgent } from '../engine/watch-answer.ts';
import { watchVault } from '../facades/ralph-wiggum/watch-vault.ts';
import { readHeartbeat } from '../stores/heartbeat.ts';
import { systemClock } from '../system/clock.ts';
import { startDetached } from '../system/detach.ts';
import { startProgram } from '../system/start-program.ts';
import { isWorkerAlive, thisWorker } from '../system/worker-identity.ts';
import { SESSION_VARIABLES } from './agent-caller.ts';
import type { WatchOrder } from './start-approval-watch.ts';
import { resumeOf, WATCHER_VARIABLE } from './start-approval-watch.ts';

/** `node approval-watch.js ORDER`: waits for a person's answer in a process that no host ends, then brings the agent back. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the hook of the same version.
const order = JSON.parse(process.argv[2] ?? '') as WatchOrder;
const { home, host, cwd, way, watched, users } = order;
// The order contains the checks of the loop, and this process runs for hours next to the agent.
process.title = 'tireless approval-watch';
const clock = systemClock();
const worker = thisWorker(clock);
const { probeSync } = createProbes({ readHeartbeat: (loop) => readHeartbeat(home, loop) });

function startAgent(prompt: string): StartedAgent {
  const resume = resumeOf(host);
  assert(resume !== undefined, 'only a host whose sessions can be continued is watched for');
  const [file, ...args] = resume.words(watched.session.id);
  const mark = { [WATCHER_VARIABLE]: worker.id };
  const { done, end } = startProgram({
    file,
    args,
    cwd,
    environment: { ...process.env, ...mark },
    mark: `${WATCHER_VARIABLE}=${worker.id}`,
    stdin: prompt,
  });
  const call = [file, ...args].join(' ');
  return {
    call,
    end,
    done: done.then(({ exitCode, tail }) => ({
      failure:
        exitCode === 0
          ? null
          : `${call}: ${exitCode === null ? 'it did not run' : `exit code ${exitCode}`}: ${tail.trim()}`,
    })),
  };
}

function handOver(loop: string): void {
  const cli = path.join(import.meta.dirname, 'cli.js');
  // A person has answered, and the session has ended: nothing from its agent is passed on.
  const marks = new Set(SESSION_VARIABLES.map(({ variable }) => variable));
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !marks.has(name)));
  // `--force`: the loop may look as if its agent had just been at work.
  startDetached(process.execPath, [cli, 'resume', loop, '--agent', host, '--force'], {
    ...environment,
    TIRELESS_HOME: home,
  });
}

await watchVault(
  watched,
  {
    worker,
    isSessionOpen: () => users.some((user) => isWorkerAlive(user) !== false),
    startAgent,
    handOver: way === 'outer' ? handOver : null,
    sleep: (ms) => clock.sleep(ms).done,
    nowMs: () => Date.now(),
  },
  { home, probe: probeSync },
);
