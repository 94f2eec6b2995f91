import type { SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import type { SessionPrograms } from '../engine/file-owner.ts';
import type { LiveFile } from '../engine/live-file.ts';
import { loopOfFile } from '../engine/loop-of-file.ts';
import { leaveSession } from '../engine/obey-file.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { OurEvent, Steps } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import { liveFile } from './dialect-place.ts';
import type { Scene } from './dialect-scene.ts';
import { ownLoop } from './dialect-scene.ts';

/** A program that was killed reports no end of its session. The next session that comes by records it, and may then take the loop. */
export function* releaseDead(scene: Scene): Steps<void> {
  const { event, request, ports, project, files } = scene;
  if (isPassing(event)) return;
  const { own } = yield* ownLoop(scene);
  if (own !== undefined && !isEnded(own.state)) return;
  const { isGone } = yield* step(ports.programs);
  for (const file of files) {
    const live = liveFile(request, ports, project, file);
    yield* step(() => ports.run(releaseFile(live, event.session, isGone)));
  }
}

function* releaseFile(live: LiveFile, visitor: SessionRef, isGone: SessionPrograms['isGone']): Pipeline<void> {
  const state = (yield* loopOfFile({ live }))?.state;
  if (state === undefined || isEnded(state) || state.sessionLeft === true) return;
  const { session } = state;
  if (session !== null && !isSameSession(session, visitor) && isGone(state)) yield* leaveSession({ live, session });
}

/** By this program the session is recognized as ended when it is killed. */
export function* noteProgram(scene: Scene): Steps<void> {
  const { event, ports } = scene;
  if (isPassing(event)) return;
  const { own } = yield* ownLoop(scene);
  if (own === undefined || isEnded(own.state)) return;
  const { note } = yield* step(ports.programs);
  note(own.state.loop, event.session);
}

/** A tool happens too often to look around, and a session that ends looks at nothing any more. */
function isPassing({ event: { kind } }: OurEvent): boolean {
  return kind === 'tool-requested' || kind === 'session-ended';
}
