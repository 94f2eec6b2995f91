import type { WorkSigns } from '../work-signs.ts';

/** What stands in the line that Esc leaves. */
export const INTERRUPTED = '[Request interrupted by user';

export const WORK_SIGNS: Pick<WorkSigns, 'work'> = {
  work: ['"type":"assistant"', '"type":"tool_result"', INTERRUPTED],
};
