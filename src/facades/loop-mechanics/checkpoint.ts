import path from 'node:path';
import { readLoopState, STATE_FILE } from '../../dialects/loop-mechanics/state.ts';
import { readTextIfExists } from '../../system/files.ts';
import { checkpoint, fileTasks } from './tasks.ts';

/** The checkpoint of a stop that somebody else answered: what the file says now goes into the task of its loop, if it has one. */
export function checkpointOf(home: string, project: string): void {
  const found = readLoopState(readTextIfExists(path.join(project, STATE_FILE)) ?? '');
  checkpoint(found.kind === 'state' ? found.state : null, fileTasks(home, project));
}
