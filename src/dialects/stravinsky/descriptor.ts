import type { DialectDescriptor } from '../dialect.ts';
import { CLAIM_NOT_BY_CHANCE } from '../dialect.ts';

export const DEFAULT_MAX_ITERATIONS = 10;
export const CONTINUATION_LOOP_FILE = '.stravinsky/continuation-loop.md';
/** Open TODOs trigger the hook even without a loop: the document reminds the agent of them. */
export const TODOS_FILE = '.stravinsky/todos.json';

export const descriptor: DialectDescriptor<'stravinsky'> = {
  name: 'stravinsky',
  load: async () => (await import('./dialect.ts')).stravinsky,
  page: 'dialects/stravinsky.md',
  files: [CONTINUATION_LOOP_FILE, TODOS_FILE],
  filePattern: /(?:^|[\\/])continuation-loop\.md$/u,
  newFile: () => CONTINUATION_LOOP_FILE,
  replyForm: 'exit',
  // The counter is 1 during the first turn, and a stop adds one before it compares.
  counting: { start: 1, addsFirst: true },
  maxIterationsDefault: DEFAULT_MAX_ITERATIONS,
  namesSession: false,
  describesErrors: false,
  remindsOfTasks: true,
  endsBy: 'any',
  start: { claims: 'several', claimDefault: CLAIM_NOT_BY_CHANCE, flags: ['claim'] },
};
