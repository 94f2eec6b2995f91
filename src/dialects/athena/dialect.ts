import type { Dialect } from '../dialect.ts';
import { descriptor, isFolderName, SESSIONS_FOLDER, trackerFile } from './descriptor.ts';
import type { TrackerDefaults } from './read.ts';
import { readTrackerFile } from './read.ts';
import { wordsFor } from './words.ts';
import { newText, project, resumed } from './write.ts';

/** Athena's loop tracker: YAML written by Athena above a Markdown body written by the agent. */
export const athena: Dialect = athenaDialect();

export function athenaDialect(defaults: TrackerDefaults = {}): Dialect {
  return {
    name: descriptor.name,
    read: (text) => readTrackerFile(text, defaults),
    project,
    resumed,
    filesFor: ({ session, list }) => [
      ...new Set([session, ...list(SESSIONS_FOLDER)].filter(isFolderName).map(trackerFile)),
    ],
    wordsFor,
    replyForm: descriptor.replyForm,
    newText,
  };
}
