import type { WorkSigns } from '../work-signs.ts';

/** The text that Esc leaves for the model. Quotes inside a text would be escaped. */
const INTERRUPTED = '"text":"Request interrupted by user"}],"visibility":"llm_only"';

/** Droid reports a failed turn to its stop hook, and Esc only as a notification. */
export const WORK_SIGNS: WorkSigns = {
  work: ['"role":"assistant"', '"type":"tool_result"', INTERRUPTED],
  interrupted: [INTERRUPTED],
  failed: [],
  begins: ['"role":"user"'],
  // It also shows the user each hook that ran.
  repeats: ['"visibility":"user_only","hookEventName":"'],
};
