import type { WorkSigns } from '../work-signs.ts';

const FAILED = '"codex_error_info":';
const ABORTED = '"payload":{"type":"turn_aborted"';

/** No hook is called for Esc or a failed turn, but the rollout file contains both. */
export const WORK_SIGNS: WorkSigns = {
  work: [
    '"role":"assistant"',
    '"payload":{"type":"function_call',
    '"payload":{"type":"custom_tool_call',
    '"payload":{"type":"local_shell_call',
    '"payload":{"type":"reasoning"',
    '"payload":{"type":"task_complete"',
    ABORTED,
  ],
  interrupted: [ABORTED],
  failed: [FAILED],
  begins: ['"payload":{"type":"task_started"'],
};
