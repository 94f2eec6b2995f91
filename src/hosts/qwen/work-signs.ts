import type { WorkSigns } from '../work-signs.ts';

const API_ERROR = '"event.name":"qwen-code.api_error"';

/** No hook is called for a failed request, but the transcript contains each one, including those that are retried. */
export const WORK_SIGNS: WorkSigns = {
  work: ['"type":"assistant"', '"type":"tool_result"', API_ERROR],
  interrupted: [],
  failed: [API_ERROR],
  retried: ['"status_code":429', '"status_code":5'],
  begins: ['"type":"user"'],
};
