import type { WorkSigns } from '../work-signs.ts';

const ERROR = '"type":"error","content":"';
const CANCELLED = '"type":"info","content":"Request cancelled';

/** No hook is told of a failed turn, but the transcript holds what the user was shown. */
export const WORK_SIGNS: WorkSigns = {
  work: ['"type":"gemini"', '"functionResponse"', ERROR, CANCELLED],
  interrupted: [CANCELLED],
  failed: [ERROR],
  begins: ['"type":"user"'],
  repeats: ['{"$set":'],
};
