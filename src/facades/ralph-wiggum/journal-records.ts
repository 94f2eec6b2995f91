import type { Dialect } from '../../dialects/dialect.ts';
import { wiggumFile } from '../../dialects/ralph-wiggum/read.ts';
import { mayLackRecords, pastRecords } from '../../dialects/ralph-wiggum/records.ts';
import { project } from '../../dialects/ralph-wiggum/write.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';

/** A dialect that also adds the records of stops that died between their commit and the write of the file: the journal has them. */
export function withJournalRecords(dialect: Dialect, { store, effects }: EmbeddedEngine): Dialect {
  return {
    ...dialect,
    project: (text, loop) => {
      const file = text === null ? undefined : wiggumFile(text);
      if (text === null || file === undefined || !mayLackRecords(loop, file)) return project(text, loop);
      return project(text, loop, pastRecords(store.entries(loop.state.loop), effects.hashText(text), file));
    },
  };
}
