import type { Reply } from '../../core/reply.ts';
import { blockingReply, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * Only JSON is read: an exit code of 2 does not keep it going. Context stands at the top; where Claude Code has it, it is passed over. No
 * field reaches the user, so the agent is asked to tell them what they have to know; at a stop it does not read that any more, and
 * nothing else happens.
 */
export function encode(answer: HostAnswer): Reply {
  const notice = answer.notice === null ? [] : [`Tell the user this first, word for word: ${answer.notice}`];
  if (answer.kind === 'context') return jsonReply({ additionalContext: [...notice, answer.text].join('\n\n') });
  if (answer.kind === 'silent' && notice.length > 0) return jsonReply({ additionalContext: notice.join('') });
  // Answered without the model, and not refused: a refused prompt is an error to whoever runs it in a script.
  if (answer.kind === 'refuse' && answer.name === 'UserPromptSubmit')
    return jsonReply({ handled: true, responseContent: answer.reason });
  return blockingReply(answer, { tells: false });
}
