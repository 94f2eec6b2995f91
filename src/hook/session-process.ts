import type { SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import type { SessionProcesses } from '../engine/file-owner.ts';
import type { LiveFile } from '../engine/live-file.ts';
import { loopOfFile } from '../engine/loop-of-file.ts';
import { leaveSession } from '../engine/obey-file.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { OurEvent, Steps } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import { liveFile } from './dialect-place.ts';
import type { Scene } from './dialect-scene.ts';
import { ownLoop } from './dialect-scene.ts';

/** A host that was killed does not report the end of its session. The next session in the project records it, and may then take the loop. `undefined` = it has one. */
export function* releaseDeadSessions(scene: Scene): Steps<SessionProcesses | undefined> {
  const { event, request, ports, project, files } = scene;
  if (isSkipped(event)) return undefined;
  const { own } = yield* ownLoop(scene);
  if (own !== undefined && !isEnded(own.state)) return undefined;
  const processes = yield* step(ports.processes);
  const { isGone } = processes;
  for (const file of files) {
    const live = liveFile(request, ports, project, file);
    yield* step(() => ports.run(releaseFile(live, event.session, isGone)));
  }
  return processes;
}

function* releaseFile(live: LiveFile, visitor: SessionRef, isGone: SessionProcesses['isGone']): Pipeline<void> {
  const state = (yield* loopOfFile({ live }))?.state;
  if (state === undefined || isEnded(state) || state.sessionLeft === true) return;
  const { session } = state;
  if (session !== null && !isSameSession(session, visitor) && isGone(state)) yield* leaveSession({ live, session });
}

/** Records the process by which a killed session is recognised as ended. */
export function* noteProcess(scene: Scene): Steps<void> {
  const { event, ports } = scene;
  if (isSkipped(event)) return;
  const { own } = yield* ownLoop(scene);
  if (own === undefined || isEnded(own.state)) return;
  const { note } = yield* step(ports.processes);
  note(own.state.loop, event.session);
}

/** Tools are too frequent for this, and a session that is ending has no use for it. */
function isSkipped({ event: { kind } }: OurEvent): boolean {
  return kind === 'tool-requested' || kind === 'session-ended';
}
