import { observedControl, progressOf } from '../cli/drive-progress.ts';
import type { DriveResult, DriveRequest } from '../cli/services.ts';
import type { Control } from '../engine/ports.ts';
import { cancellingUnrunnable } from '../engine/unrunnable-check.ts';
import { agentFor } from '../runner/agents.ts';
import { driveLoop } from '../runner/drive-loop.ts';
import { activityLog } from '../stores/activity.ts';
import { writeHeartbeat } from '../stores/heartbeat.ts';
import { filesOf } from '../stores/loop-files.ts';
import { systemClock } from '../system/clock.ts';
import { keepMemoryLean } from '../system/lean-memory.ts';
import { removeLeftoversBelow } from '../system/leftovers.ts';
import { onInterrupt } from '../system/signals.ts';
import { startWatchdog } from '../system/watchdog.ts';
import { thisWorker } from '../system/worker-identity.ts';

/** The outer driver on this machine, told to a display. */
export async function driveHere(request: DriveRequest, control: Control, home: string): Promise<DriveResult> {
  const { loop, show } = request;
  const clock = systemClock();
  // Whoever drove it before may have been killed in a write.
  removeLeftoversBelow(filesOf(home, loop).dir);
  const log = activityLog(home, loop);
  const loaded = await control.get(loop);
  const agent = agentFor(loaded?.spec.agent, {
    nodePath: process.execPath,
    watchdog: { guard: (pid) => watchdog.guard(pid), release: (pid) => watchdog.release(pid) },
  });
  const worked = keepMemoryLean();
  // Armed last: from here on nothing fails before `driveLoop`, which disarms it.
  const watchdog = startWatchdog(loop);
  let notRunnable: DriveResult['notRunnable'] = null;
  const found = (name: string, tail: string): void => void (notRunnable = { name, tail });
  const guarded = request.allowMissingCheck ? control : cancellingUnrunnable(control, found);
  const end = await driveLoop({
    control: observedControl(guarded, show),
    loop,
    agent,
    clock,
    worker: thisWorker(clock),
    heartbeat: (reading) => void writeHeartbeat(home, loop, reading),
    activity: (line) => void log.append(line),
    watchdog,
    onProgress: (update) => {
      worked();
      const progress = progressOf(update, Date.now());
      if (progress !== null) show(progress);
    },
    interrupts: { onInterrupt },
    waitForUsageLimit: request.wait,
  });
  return { ...end, notRunnable };
}
