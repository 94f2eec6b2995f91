import type { Dialect } from '../dialect.ts';
import { descriptor, SUPERCODE_FILE } from './descriptor.ts';
import { read } from './read.ts';
import { wordsFor } from './words.ts';
import { newText, project, resumed, withSession } from './write.ts';

/** `.supercoin/ralph-loop-state.json`: exists while the loop runs, and is removed when it ends. It names its session. */
export const supercode: Dialect = {
  name: descriptor.name,
  read,
  project,
  withSession,
  resumed,
  filesFor: () => [SUPERCODE_FILE],
  wordsFor,
  replyForm: descriptor.replyForm,
  newText,
};
