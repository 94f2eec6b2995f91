import type { Effects } from './ports.ts';
import type { WhyUnknown } from './unknown-answer.ts';
import { unknownAnswer } from './unknown-answer.ts';

const NOT_LOOKED: WhyUnknown = {
  check: { unknown: 'not-run', tail: '' },
  protectedFiles: { hash: '', changed: ['(not looked at)'] },
  room: { why: 'not-supported', detail: '' },
};

/** For compositions without checks. Whatever is not looked at is unknown, which never completes a loop. */
export const probeNothing: Effects['probe'] = (batch) =>
  batch.requests.map((request) => unknownAnswer(request, NOT_LOOKED));
