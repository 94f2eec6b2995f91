import type { WorkSigns } from '../work-signs.ts';

const ERROR = '"type":"error","content":"';
const CANCELLED = '"type":"info","content":"Request cancelled';

/** No hook is called for a failed turn, but the transcript contains the error that the user saw. */
export const WORK_SIGNS: WorkSigns = {
  work: ['"type":"gemini"', '"functionResponse"', ERROR, CANCELLED],
  interrupted: [CANCELLED],
  failed: [ERROR],
  begins: ['"type":"user"'],
  repeats: ['{"$set":'],
};
