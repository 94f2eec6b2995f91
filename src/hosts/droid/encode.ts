import type { Reply } from '../../core/reply.ts';
import { blockingReply, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * As in Claude Code, with two differences. Droid keeps a prompt from the model if the reply ends the turn, and it passes any output of a
 * hook to the model unless it finds a known key: the agent would read an empty object.
 */
export function encode(answer: HostAnswer): Reply {
  const { kind, name, notice } = answer;
  if (kind === 'refuse' && name === 'UserPromptSubmit')
    return jsonReply({ continue: false, stopReason: answer.reason });
  if (kind === 'silent' && notice === null) return jsonReply({ suppressOutput: true });
  return blockingReply(answer);
}
