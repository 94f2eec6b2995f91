import { DEFAULT_CLAIM_TEXT } from '../../core/claim.ts';
import type { DialectDescriptor } from '../dialect.ts';

export const DEFAULT_MAX_ITERATIONS = 100;
export const SUPERCODE_FILE = '.supercoin/ralph-loop-state.json';

export const descriptor: DialectDescriptor<'supercode'> = {
  name: 'supercode',
  load: async () => (await import('./dialect.ts')).supercode,
  page: 'dialects/supercode.md',
  files: [SUPERCODE_FILE],
  filePattern: /(?:^|[\\/])ralph-loop-state\.json$/u,
  newFile: () => SUPERCODE_FILE,
  replyForm: 'json',
  // The counter shows the current iteration; a stop compares it with the maximum and adds one only to continue.
  counting: { start: 1, addsFirst: false },
  maxIterationsDefault: DEFAULT_MAX_ITERATIONS,
  namesSession: true,
  describesErrors: false,
  endsBy: 'any',
  start: { claims: 'one', claimDefault: DEFAULT_CLAIM_TEXT, flags: ['claim'] },
};
