import type { CutReason } from '../core/event.ts';
import type { Usage } from '../core/evidence.ts';
import { assert } from '../core/fault.ts';
import { promptOf } from '../core/prompt.ts';
import type { AgentActivity, AgentSession, Loaded, TurnEnd } from '../engine/ports.ts';
import { activityRecorder } from './activity-record.ts';
import type { StoppableWork } from './early-stop.ts';
import { startDeadlines } from './deadlines.ts';
import type { Drive } from './drive-context.ts';
import { isLeaseOurs, runningLeftMs } from './waiting.ts';

/** `cut`: we ended the turn, because a limit was reached. */
export type Turn = { readonly end: TurnEnd; readonly cut: CutReason | null };

/**
 * Delivers the prompt and follows the agent until it ends or reaches a limit. `abandoned` = the loop stopped waiting for this turn, which
 * was ended. No process of the agent is running when this returns or throws.
 */
export async function runTurn(drive: Drive, { spec, state }: Loaded): Promise<Turn | 'abandoned'> {
  const iteration = state.counted + 1;
  const session = await drive.agent.open({ loop: drive.loop, iteration, cwd: state.cwd });
  const cancel = cancelOnce(session);
  let isAbandoned = false;
  let cut: CutReason | null = null;
  // The usage of a turn that we end: it can no longer report that itself.
  let used: Usage | undefined;
  const section: StoppableWork = {
    isAwaited: (now) =>
      now.status === 'running' && now.phase === 'working' && now.counted + 1 === iteration && isLeaseOurs(drive, now),
    abandon: () => {
      isAbandoned = true;
      cancel.start();
    },
  };
  const deadlines = startDeadlines({
    clock: drive.clock,
    timing: spec.timing,
    leftMs: runningLeftMs(drive, state),
    onCut: (reached) => {
      cut = reached;
      drive.onProgress({ kind: 'turn-cut', iteration, cut: reached });
      cancel.start();
    },
  });
  try {
    drive.onProgress({ kind: 'agent-started', iteration, agent: drive.agent.name });
    const record = activityRecorder(drive, { iteration, rerun: state.plan.rerun });
    const end = await drive.earlyStop.during(section, () =>
      follow(session.prompt(promptOf(spec, state)), (activity) => {
        deadlines.touch();
        if (activity.kind === 'alive') {
          if (activity.toolsRunning !== undefined) deadlines.toolsRunning(activity.toolsRunning);
          used = activity.usage ?? used;
        }
        record(activity);
        drive.onProgress({ kind: 'agent-active', iteration, activity });
      }),
    );
    return isAbandoned ? 'abandoned' : { end: cut === null || used === undefined ? end : { usage: used, ...end }, cut };
  } finally {
    deadlines.stop();
    await cancel.settled();
    await session.close();
  }
}

async function follow(
  stream: AsyncIterable<AgentActivity>,
  onActivity: (activity: AgentActivity) => void,
): Promise<TurnEnd> {
  let end: TurnEnd | null = null;
  for await (const activity of stream) {
    onActivity(activity);
    if (activity.kind === 'ended') end = activity.end;
  }
  assert(end !== null, 'a turn ends with `ended`');
  return end;
}

/** A limit and a pause may both cancel it. An error is thrown at the end instead of becoming an unhandled rejection. */
function cancelOnce(session: AgentSession): { readonly start: () => void; readonly settled: () => Promise<void> } {
  let cancelling: Promise<{ readonly error: unknown } | null> | null = null;
  return {
    start: () => {
      cancelling ??= session.cancel().then(
        () => null,
        (error: unknown) => ({ error }),
      );
    },
    settled: async () => {
      const failed = await cancelling;
      if (failed !== null) throw failed.error;
    },
  };
}
