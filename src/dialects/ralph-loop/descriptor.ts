import { DEFAULT_CLAIM_TEXT } from '../../core/claim.ts';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import type { DialectDescriptor } from '../dialect.ts';

export const RALPH_LOOP_FILE = '.claude/ralph-loop.local.md';

export const descriptor: DialectDescriptor<'ralph-loop'> = {
  name: 'ralph-loop',
  load: async () => (await import('./dialect.ts')).ralphLoop,
  page: 'dialects/ralph-loop.md',
  files: [RALPH_LOOP_FILE],
  filePattern: /(?:^|[\\/])ralph-loop\.local\.md$/u,
  newFile: () => RALPH_LOOP_FILE,
  replyForm: 'json',
  // `iteration` is the current one, and a stop at the maximum ends the loop: a maximum of M allows M turns.
  counting: { start: 1, addsFirst: false },
  maxIterationsDefault: Number(DEFAULT_LIMITS.iterationsMax),
  namesSession: true,
  describesErrors: false,
  endsBy: 'any',
  start: { claims: 'one', claimDefault: DEFAULT_CLAIM_TEXT, flags: ['claim'] },
};
