import { DEFAULT_LIMITS } from '../../core/loop.ts';
import type { DialectDescriptor } from '../dialect.ts';

/** Where the document keeps the state, relative to the project. */
export const STATE_FILE = '.loop/state.json';

export const descriptor: DialectDescriptor<'loop-mechanics'> = {
  name: 'loop-mechanics',
  page: 'dialects/loop-mechanics.md',
  files: [STATE_FILE],
  filePattern: /(?:^|[\\/])\.loop[\\/]state\.json$/u,
  newFile: () => STATE_FILE,
  replyForm: 'ok',
  // The counter shows the iteration that is under way: 2 while one step of two is done.
  counting: { start: 1, addsFirst: false },
  maxIterationsDefault: Number(DEFAULT_LIMITS.iterationsMax),
  namesSession: false,
  describesErrors: true,
  endsBy: 'all',
  start: { claims: 'fixed', claimDefault: '<loop-complete>', flags: ['criterion', 'max-cost'] },
};
