import type { WorkSigns } from '../work-signs.ts';

/** The text of the line that Esc leaves. */
export const INTERRUPTED = '[Request interrupted by user';
/** The line that shows an API error as a message of the agent. */
export const FAILED = '"isApiErrorMessage":true';

export const WORK_SIGNS: Pick<WorkSigns, 'work'> = {
  work: ['"type":"assistant"', '"type":"tool_result"', INTERRUPTED],
};
