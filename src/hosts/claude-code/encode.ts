import type { Reply } from '../../core/reply.ts';
import type { HostAnswer } from '../host.ts';

/**
 * One JSON object and nothing else: any other byte on stdout would end the turn. `additionalContext` reaches the agent once and is shown
 * as feedback; `decision: block` would be paid for twice and be shown as an error.
 */
export function encode({ decision, prompt, notice }: HostAnswer): Reply {
  const reply = {
    ...(decision.kind === 'continue'
      ? { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: prompt } }
      : {}),
    ...(notice === null ? {} : { systemMessage: notice }),
  };
  return { stdout: `${JSON.stringify(reply)}\n`, stderr: '', exitCode: 0 };
}
