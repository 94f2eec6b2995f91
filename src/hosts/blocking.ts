import type { Reply } from '../core/reply.ts';
import type { HostAnswer } from './host.ts';

/** The reply that most hosts adopted: `decision: block` with a reason, context beside the prompt, a refused tool. No other key. */
export function blockingReply(
  answer: HostAnswer,
  more: { readonly block?: string; readonly showsNotice?: boolean } = {},
): Reply {
  const { block = 'block', showsNotice = true } = more;
  const notice = answer.notice === null || !showsNotice ? {} : { systemMessage: answer.notice };
  return jsonReply({ ...bodyOf(answer, block), ...notice });
}

export function jsonReply(value: object): Reply {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exitCode: 0 };
}

function bodyOf(answer: HostAnswer, block: string): object {
  switch (answer.kind) {
    case 'silent':
      return {};
    case 'go-on':
      return { decision: block, reason: answer.prompt };
    case 'context':
      return { hookSpecificOutput: { hookEventName: answer.name, additionalContext: answer.text } };
    case 'refuse':
      return answer.name === 'PreToolUse' ? deniedTool(answer.reason) : { decision: block, reason: answer.reason };
  }
}

function deniedTool(permissionDecisionReason: string): object {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
  };
}
