import type { Reply } from '../../core/reply.ts';
import { blockingReply, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * Only JSON is read: exit code 2 does not send the agent back. Context is a top-level field; Copilot ignores it where Claude Code has it.
 * No field reaches the user, so our text asks the agent to pass the notice on. At a stop the agent no longer reads that, and nothing else
 * happens.
 */
export function encode(answer: HostAnswer): Reply {
  const notice = answer.notice === null ? [] : [`Tell the user this first, word for word: ${answer.notice}`];
  if (answer.kind === 'context') return jsonReply({ additionalContext: [...notice, answer.text].join('\n\n') });
  if (answer.kind === 'silent' && notice.length > 0) return jsonReply({ additionalContext: notice.join('') });
  // Answered without the model, but not refused: for a script, a refused prompt is an error.
  if (answer.kind === 'refuse' && answer.name === 'UserPromptSubmit')
    return jsonReply({ handled: true, responseContent: answer.reason });
  return blockingReply(answer, { showsNotice: false });
}
