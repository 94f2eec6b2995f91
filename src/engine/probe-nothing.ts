import type { Effects } from './ports.ts';
import type { UnknownReasons } from './unknown-answer.ts';
import { unknownAnswer } from './unknown-answer.ts';

const NOT_LOOKED: UnknownReasons = {
  check: { unknown: 'not-run', tail: '' },
  protectedFiles: { hash: '', changed: ['(not looked at)'] },
  room: { why: 'not-supported', detail: '' },
};

/** For compositions without checks. Every answer is unknown, which never completes a loop. */
export const probeNothing: Effects['probe'] = (batch) =>
  batch.requests.map((request) => unknownAnswer(request, NOT_LOOKED));
