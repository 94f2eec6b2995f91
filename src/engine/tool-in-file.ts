import { isSameSession } from '../core/loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { loopOfFile } from './loop-of-file.ts';
import type { Pipeline } from './pipeline.ts';
import type { TurnReport } from './ports.ts';
import type { ToolAnswer } from './tool-request.ts';
import { handleToolRequest } from './tool-request.ts';

/**
 * Enforces the iteration timeout of a session whose project contains a dialect's file. Only the session that owns the loop of that file has
 * one. `timeoutMs` overrides the timeout of the spec.
 */
export function* handleToolInFile(place: DialectPlace, report: TurnReport, timeoutMs?: number): Pipeline<ToolAnswer> {
  const loaded = yield* loopOfFile(place);
  if (loaded === undefined || !isSameSession(loaded.state.session, place.session)) return { kind: 'allow' };
  return yield* handleToolRequest(loaded.state.loop, report, timeoutMs);
}
