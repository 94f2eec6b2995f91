import type { Dialect } from '../dialect.ts';
import { descriptor, RALPH_LOOP_FILE } from './descriptor.ts';
import { read } from './read.ts';
import { wordsFor } from './words.ts';
import { newText, project, resumed, withSession } from './write.ts';

/**
 * The state file of Claude Code's official `ralph-loop` plugin. The plugin's own script parses it with `sed`; here it is read as YAML, `active`
 * counts, a maximum of 0 ("unlimited") is our default maximum, and only a tag alone on its line is a claim.
 */
export const ralphLoop: Dialect = {
  name: descriptor.name,
  read,
  withSession,
  resumed,
  project,
  filesFor: () => [RALPH_LOOP_FILE],
  wordsFor,
  replyForm: descriptor.replyForm,
  newText,
};
