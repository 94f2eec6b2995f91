import type { Reply } from '../../core/reply.ts';
import { deniedTool, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * One JSON object and nothing else: any other byte on stdout would end the turn. `additionalContext` reaches the agent once and is shown
 * as feedback; `decision: block` would be paid for twice and be shown as an error.
 */
export function encode(answer: HostAnswer): Reply {
  const { notice } = answer;
  return jsonReply({ ...replyTo(answer), ...(notice === null ? {} : { systemMessage: notice }) });
}

function replyTo(answer: HostAnswer): object {
  switch (answer.kind) {
    case 'silent':
      return {};
    case 'go-on':
      return { hookSpecificOutput: { hookEventName: answer.name, additionalContext: answer.prompt } };
    case 'context':
      return { hookSpecificOutput: { hookEventName: answer.name, additionalContext: answer.text } };
    case 'refuse':
      return answer.name === 'PreToolUse' ? deniedTool(answer.reason) : { decision: 'block', reason: answer.reason };
  }
}
