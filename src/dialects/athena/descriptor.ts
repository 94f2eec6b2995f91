import { DEFAULT_LIMITS } from '../../core/loop.ts';
import type { DialectDescriptor } from '../dialect.ts';
import { CLAIM_NOT_BY_CHANCE } from '../dialect.ts';

export const SESSIONS_FOLDER = '.athena/sessions';

/** The path of a session's tracker, relative to the project. `folder` is a safe path part. */
export function trackerFile(folder: string): string {
  return `${SESSIONS_FOLDER}/${folder}/loop-tracker.md`;
}

export const descriptor: DialectDescriptor<'athena'> = {
  name: 'athena',
  page: 'dialects/athena.md',
  files: ['.athena/sessions/*/loop-tracker.md'],
  filePattern: /(?:^|[\\/])loop-tracker\.md$/u,
  newFile: (loop, session) => trackerFile(session !== null && /^[\w-][\w.-]*$/u.test(session) ? session : loop),
  replyForm: 'json',
  // Blocks are counted, and compared before one is added.
  counting: { start: 0, addsFirst: false },
  maxIterationsDefault: Number(DEFAULT_LIMITS.iterationsMax),
  namesSession: false,
  describesErrors: false,
  endsBy: 'any',
  start: { claims: 'one', claimDefault: CLAIM_NOT_BY_CHANCE, flags: ['claim'] },
};
