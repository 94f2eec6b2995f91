import type { FailedTurn } from '../core/event.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import type { SessionRef } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { transcriptReader } from '../evidence/transcript-tail.ts';
import { isUnjudged } from '../evidence/unjudged.ts';
import { hostNamed } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { findTranscript } from '../setup/settings/find-transcript.ts';
import { readSessionProcess } from '../stores/session-process.ts';
import { modifiedMs } from '../system/folder.ts';
import { hostProcess } from '../system/host-process.ts';
import { isWorkerAlive } from '../system/worker-identity.ts';

/** The last turn of a session, if it failed. `transcript`: as the host names it; `null` = it is searched for. */
export function failedTurnOf(session: SessionRef, named: string | null): FailedTurn | undefined {
  const host = hostNamed(session.host);
  const look = host === undefined ? undefined : HOSTS[host].turns?.failedTurn;
  const transcript = look === undefined ? undefined : (named ?? findTranscript(session, { env: process.env }));
  return transcript === undefined ? undefined : (look?.(transcript, transcriptReader) ?? undefined);
}

/** What is known here about the session of a loop. `inHook`: the caller's host started this process. */
export function signsOf(home: string, { state }: Loaded, inHook: boolean): SessionSigns {
  const { loop, session, updatedAt } = state;
  const worker = session === null ? null : readSessionProcess(home, loop, session);
  const alive = worker === null ? 'elsewhere' : isWorkerAlive(worker);
  const transcript = session === null ? undefined : findTranscript(session, { env: process.env });
  const host = hostNamed(session?.host);
  const hasOneSession = host !== undefined && HOSTS[host].capabilities.runsManySessions !== true;
  const turns = host === undefined || transcript === undefined ? undefined : HOSTS[host].turns;
  const nowMs = Date.now();
  const changedMs = Date.parse(updatedAt);
  const cause = turns?.idleCause(transcript ?? '', transcriptReader, nowMs) ?? null;
  const workedMs = turns?.lastWorkMs(transcript ?? '', transcriptReader) ?? null;
  return {
    nowMs,
    changedMs,
    writtenMs: transcript === undefined ? null : (modifiedMs(transcript) ?? null),
    workedMs,
    idleCause: cause ?? (isUnjudged(home, loop, Math.max(changedMs, workedMs ?? 0)) ? 'unjudged' : null),
    isAlive: alive === 'elsewhere' ? null : alive,
    isOwnProgram: inHook && hasOneSession && alive === true && worker?.pid === hostProcess(),
  };
}
