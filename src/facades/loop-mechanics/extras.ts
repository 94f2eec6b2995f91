import path from 'node:path';
import { STATE_FILE } from '../../dialects/loop-mechanics/descriptor.ts';
import type { LoopState } from '../../dialects/loop-mechanics/state.ts';
import { readLoopState } from '../../dialects/loop-mechanics/state.ts';
import { announcement } from '../../dialects/loop-mechanics/words.ts';
import type { DialectExtras } from '../../engine/dialect-extras.ts';
import { readTextIfExists } from '../../system/files.ts';
import { checkpoint, fileTasks, taskOf } from './tasks.ts';

/** Two places for one state: every loop has a task, which follows its file whoever answers the stop. */
export function loopMechanicsExtras(home: string): DialectExtras {
  return {
    announce: announcement,
    settle: (project, handled) => checkpoint(handled, stateIn(project), fileTasks(home, project)),
    // No loop has begun: the task is known by the time of its start until the first stop.
    written: (project) => {
      const state = stateIn(project);
      if (state !== null) fileTasks(home, project).TaskCreate(taskOf(state, null));
    },
  };
}

function stateIn(project: string): LoopState | null {
  const found = readLoopState(readTextIfExists(path.join(project, STATE_FILE)) ?? '');
  return found.kind === 'state' ? found.state : null;
}
