import type { WorkflowReading } from '../../dialects/athena/workflow.ts';
import { readWorkflow } from '../../dialects/athena/workflow.ts';
import { readTextIfExists } from '../../system/files.ts';

/** A `workflow.json` on disk. Throws a Fault if the file exists but cannot be read. */
export function loadWorkflow(file: string): WorkflowReading {
  const json = readTextIfExists(file);
  return json === undefined ? { kind: 'invalid', why: `there is no ${file}` } : readWorkflow(json);
}
