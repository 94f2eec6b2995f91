import type { Dialect } from '../dialect.ts';
import { CONTINUATION_LOOP_FILE, descriptor } from './descriptor.ts';
import { read } from './read.ts';
import { wordsFor } from './words.ts';
import { newText, project, resumed } from './write.ts';

/** `.stravinsky/continuation-loop.md`: a counter and a promise above the goal. */
export const stravinsky: Dialect = {
  name: descriptor.name,
  read,
  project,
  resumed,
  filesFor: () => [CONTINUATION_LOOP_FILE],
  wordsFor,
  replyForm: descriptor.replyForm,
  newText,
};
