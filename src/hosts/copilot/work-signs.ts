import type { WorkSigns } from '../work-signs.ts';

const FAILED = '{"type":"session.error"';
const ABORTED = '{"type":"abort"';

/** Each of its events starts a line. Copilot reports errors to a hook too, including those after which it retries. */
export const WORK_SIGNS: WorkSigns = {
  work: ['{"type":"assistant.message"', '{"type":"tool.execution_complete"', FAILED, ABORTED],
  interrupted: [ABORTED],
  failed: [FAILED],
  begins: ['{"type":"user.message"', '{"type":"assistant.turn_start"'],
};
