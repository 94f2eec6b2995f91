import { DEFAULT_LIMITS } from '../../core/loop.ts';
import { bytesOf } from '../../core/quoting.ts';
import type { DialectDescriptor } from '../dialect.ts';
import { CLAIM_NOT_BY_CHANCE } from '../dialect.ts';

export const SESSIONS_FOLDER = '.athena/sessions';

/** Leaves room for the suffixes that file systems add to a name. */
const FOLDER_BYTES_MAX = 200;

/** Can the id of a session be used as its folder name, as in the document? A leading dot would hide the tracker from a shell. */
export function isFolderName(id: string): boolean {
  return /^[^.\\/\p{Cc}\p{Cs}][^\\/\p{Cc}\p{Cs}]*$/u.test(id) && bytesOf(id) <= FOLDER_BYTES_MAX;
}

/** Windows refuses such names, or gives them another meaning. */
export function isRefusedByWindows(name: string): boolean {
  return /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu.test(name);
}

/** The path of a session's tracker, relative to the project. `folder` is a safe path part. */
export function trackerFile(folder: string): string {
  return `${SESSIONS_FOLDER}/${folder}/loop-tracker.md`;
}

export const descriptor: DialectDescriptor<'athena'> = {
  name: 'athena',
  load: async () => (await import('./dialect.ts')).athena,
  page: 'dialects/athena.md',
  files: ['.athena/sessions/*/loop-tracker.md'],
  filePattern: /(?:^|[\\/])loop-tracker\.md$/u,
  newFile: (loop, session) =>
    trackerFile(session !== null && isFolderName(session) && !isRefusedByWindows(session) ? session : loop),
  replyForm: 'json',
  // Blocks are counted, and the counter is compared before one is added.
  counting: { start: 0, addsFirst: false },
  maxIterationsDefault: Number(DEFAULT_LIMITS.iterationsMax),
  namesSession: false,
  describesErrors: false,
  endsWithSession: true,
  endsBy: 'any',
  start: { claims: 'one', claimDefault: CLAIM_NOT_BY_CHANCE, flags: ['claim'] },
};
