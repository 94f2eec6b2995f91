import { DEFAULT_LIMITS } from '../../core/loop.ts';
import type { DialectDescriptor } from '../dialect.ts';

/** The path of the document's state file, relative to the project. */
export const STATE_FILE = '.loop/state.json';

export const descriptor: DialectDescriptor<'loop-mechanics'> = {
  name: 'loop-mechanics',
  load: async () => (await import('./dialect.ts')).loopMechanics,
  page: 'dialects/loop-mechanics.md',
  files: [STATE_FILE],
  filePattern: /(?:^|[\\/])\.loop[\\/]state\.json$/u,
  newFile: () => STATE_FILE,
  replyForm: 'ok',
  // The counter shows the current iteration: 2 once one step of two is done.
  counting: { start: 1, addsFirst: false },
  maxIterationsDefault: Number(DEFAULT_LIMITS.iterationsMax),
  namesSession: false,
  describesErrors: true,
  endsBy: 'all',
  start: { claims: 'fixed', claimDefault: '<loop-complete>', flags: ['criterion', 'max-cost'] },
};
