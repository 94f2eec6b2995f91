import type { WorkSigns } from '../work-signs.ts';

/** What Esc leaves, for the model. Inside a text, each quote would be escaped. */
const INTERRUPTED = '"text":"Request interrupted by user"}],"visibility":"llm_only"';

/** Droid reports a failed turn to its stop hook, and nothing after Esc. */
export const WORK_SIGNS: WorkSigns = {
  work: ['"role":"assistant"', '"type":"tool_result"', INTERRUPTED],
  interrupted: [INTERRUPTED],
  failed: [],
  begins: ['"role":"user"'],
};
