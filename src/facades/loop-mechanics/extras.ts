import path from 'node:path';
import { STATE_FILE } from '../../dialects/loop-mechanics/descriptor.ts';
import { readLoopState } from '../../dialects/loop-mechanics/state.ts';
import { announcement } from '../../dialects/loop-mechanics/words.ts';
import type { DialectExtras } from '../../engine/dialect-extras.ts';
import { readTextIfExists } from '../../system/files.ts';
import { checkpoint, fileTasks } from './tasks.ts';

/** The task of a loop that a program started follows its file, whoever answers the stop. */
export function loopMechanicsExtras(home: string): DialectExtras {
  return {
    announce: announcement,
    settle: (project) => {
      const found = readLoopState(readTextIfExists(path.join(project, STATE_FILE)) ?? '');
      checkpoint(found.kind === 'state' ? found.state : null, fileTasks(home, project));
    },
  };
}
