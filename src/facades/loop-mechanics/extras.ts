import path from 'node:path';
import type { Event } from '../../core/event.ts';
import { STATE_FILE } from '../../dialects/loop-mechanics/descriptor.ts';
import { boundedError, classOfFailure, withError } from '../../dialects/loop-mechanics/errors.ts';
import type { LoopState } from '../../dialects/loop-mechanics/state.ts';
import { nextOf, readLoopState, setLoopState } from '../../dialects/loop-mechanics/state.ts';
import { announcement, summaryReport } from '../../dialects/loop-mechanics/words.ts';
import type { DialectExtras } from '../../engine/dialect-extras.ts';
import type { Handled } from '../../engine/ports.ts';
import { systemClock } from '../../system/clock.ts';
import { fileEffects } from '../../system/file-effects.ts';
import { readTextIfExists } from '../../system/files.ts';
import { changeFile } from '../../engine/change-file.ts';
import { checkpoint, fileTasks, taskOf } from './tasks.ts';

/** One state in two places: every loop has a task, which mirrors its file whoever handles the stop. */
export function loopMechanicsExtras(home: string): DialectExtras {
  return {
    announce: announcement,
    settle: (project, turn, handled) => {
      recordFailure(project, turn, handled);
      const state = stateIn(project);
      checkpoint(handled, state, fileTasks(home, project));
      const { decision, loaded } = handled;
      return decision.kind === 'complete' && state !== null && loaded !== undefined
        ? `tireless: ${summaryReport(state, loaded)}`
        : null;
    },
    // No loop has begun: until the first stop, the task is identified by its start time.
    written: (project) => {
      const state = stateIn(project);
      if (state !== null) fileTasks(home, project).TaskCreate(taskOf(state, null));
    },
  };
}

/** The document records a failed turn as an error, like a failed step; the engine treats it like any other edit. */
function recordFailure(project: string, turn: Event, { decision, loaded }: Handled): void {
  if (turn.kind !== 'turn-failed' || decision.kind === 'abstain' || loaded === undefined) return;
  const { detail: message } = turn.failure;
  const at = loaded.state.updatedAt;
  changeFile(fileEffects(systemClock()), path.join(project, STATE_FILE), (text) => {
    const found = text === null ? null : readLoopState(text);
    if (text === null || found?.kind !== 'state') return text;
    const error = boundedError({ class: classOfFailure(turn.failure), step: nextOf(found.state), message, at });
    return setLoopState(text, withError(found.state, error));
  });
}

function stateIn(project: string): LoopState | null {
  const found = readLoopState(readTextIfExists(path.join(project, STATE_FILE)) ?? '');
  return found.kind === 'state' ? found.state : null;
}
