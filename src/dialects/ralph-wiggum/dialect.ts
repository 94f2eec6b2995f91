import type { Dialect } from '../dialect.ts';
import { descriptor, WIGGUM_STATE_FOLDER } from './descriptor.ts';
import { read } from './read.ts';
import { wordsFor } from './words.ts';
import { newWiggumFile, project, resumed, withSession } from './write.ts';

/** The state files of the "Ralph Wiggum" reference: any number of `RALPH_*.json` in one folder, one loop each. */
export const ralphWiggum: Dialect = ralphWiggumIn(WIGGUM_STATE_FOLDER);

/** With the state files in another folder, relative to the project. */
export function ralphWiggumIn(folder: string): Dialect {
  return {
    name: descriptor.name,
    read,
    project: (text, loop) => project(text, loop),
    withSession,
    resumed,
    filesFor: ({ list }) =>
      list(folder)
        .filter((name) => name.startsWith('RALPH_') && name.endsWith('.json'))
        .toSorted()
        .map((name) => `${folder}/${name}`),
    wordsFor,
    replyForm: descriptor.replyForm,
    newText: newWiggumFile,
  };
}
