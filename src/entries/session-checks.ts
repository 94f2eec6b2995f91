import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ProbeAnswer, ProbeBatch } from '../engine/ports.ts';
import type { JobWorld } from '../evidence/check-jobs.ts';
import { askInJob } from '../evidence/check-jobs.ts';
import { runSteps } from '../evidence/command-steps.ts';
import { workspaceFingerprint } from '../evidence/workspace-fingerprint.ts';
import { systemClock } from '../system/clock.ts';
import { startDetached } from '../system/detach.ts';
import { currentPlatform } from '../system/paths.ts';
import { ownCall } from '../setup/own-call.ts';

/** What `tireless install` asks of every host. */
const HOOK_SECONDS = 600;
/** For what comes after the checks: the decision, the journal, the reply. */
const RESERVED_SHARE = 0.05;

/** The program that was called, wherever the bundler put this code: what is started lies beside it. */
const program = (): string => realpathSync(process.argv[1] ?? '');

type Ask = (batch: ProbeBatch) => Promise<readonly ProbeAnswer[]>;

/** Commands run in a process of their own, because they may outlast the hook; everything else is looked at here. */
export function probeInSession(home: string, probe: Ask, env: NodeJS.ProcessEnv = process.env): Ask {
  const clock = systemClock();
  const seconds = Number(env['TIRELESS_HOOK_SECONDS'] ?? HOOK_SECONDS);
  const endMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : HOOK_SECONDS) * 1000 * (1 - RESERVED_SHARE);
  const world: JobWorld = {
    home,
    start: (loop, key, mark) => {
      const script = path.join(path.dirname(program()), 'check-job.js');
      startDetached(process.execPath, [script, home, loop, key], { ...env, ...mark });
    },
    call: (cwd) => ownCall({ node: process.execPath, script: program(), home }, cwd, { ...currentPlatform(), env }),
    fingerprint: (cwd) => runSteps(workspaceFingerprint(cwd)),
    sleep: (ms) => clock.sleep(ms).done,
    // From the start of this process: the host counts from there.
    leftMs: () => endMs - performance.now(),
  };
  return async (batch) => {
    const isCommand = batch.requests.map(
      (request) => request.kind === 'check' && request.check.probe.kind === 'command',
    );
    if (!isCommand.includes(true)) return probe(batch);
    const [commands, others] = await Promise.all([
      askInJob({ ...batch, requests: batch.requests.filter((_, index) => isCommand[index]) }, world),
      probe({ ...batch, requests: batch.requests.filter((_, index) => isCommand[index] !== true) }),
    ]);
    const answers = [...commands];
    const rest = [...others];
    return isCommand.flatMap((own) => (own ? answers.splice(0, 1) : rest.splice(0, 1)));
  };
}
