import type { WorkSigns } from '../work-signs.ts';

const API_ERROR = '"event.name":"qwen-code.api_error"';

/** No hook is told of a failed request, but the transcript holds each one, also those that are tried again. */
export const WORK_SIGNS: WorkSigns = {
  work: ['"type":"assistant"', '"type":"tool_result"', API_ERROR],
  interrupted: [],
  failed: [API_ERROR],
  retried: ['"status_code":429', '"status_code":5'],
  begins: ['"type":"user"'],
};
