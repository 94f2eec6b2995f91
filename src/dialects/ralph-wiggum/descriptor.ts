import { DEFAULT_CLAIM_TEXT } from '../../core/claim.ts';
import type { DialectDescriptor } from '../dialect.ts';

export const WIGGUM_VAULT = 'AI_Employee_Vault';
export const WIGGUM_STATE_FOLDER: string = `${WIGGUM_VAULT}/Ralph_State`;

export const descriptor: DialectDescriptor<'ralph-wiggum'> = {
  name: 'ralph-wiggum',
  load: async () => (await import('./dialect.ts')).ralphWiggum,
  page: 'dialects/ralph-wiggum.md',
  files: [`${WIGGUM_STATE_FOLDER}/RALPH_*.json`],
  filePattern: /(?:^|[\\/])RALPH_[^\\/]*\.json$/u,
  newFile: (loop) => `${WIGGUM_STATE_FOLDER}/RALPH_${loop}.json`,
  replyForm: 'json',
  // A stop compares first and then adds one, starting from 0: a maximum of M allows M + 1 turns.
  counting: { start: 0, addsFirst: false },
  maxIterationsDefault: 10,
  namesSession: true,
  describesErrors: true,
  waitsForApproval: true,
  endsBy: 'any',
  start: {
    claims: 'one',
    claimDefault: DEFAULT_CLAIM_TEXT,
    flags: ['claim', 'watch-file', 'done-folder', 'max-duration', 'pause-between'],
  },
};
