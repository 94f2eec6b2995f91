import type { Reply } from '../../core/reply.ts';
import { blockingReply, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * As in Claude Code, with two differences. Droid keeps a prompt from the model when the reply ends the turn, and it hands whatever a
 * hook prints to the model unless it finds a key that it knows: an empty object would be read by the agent.
 */
export function encode(answer: HostAnswer): Reply {
  const { kind, name, notice } = answer;
  if (kind === 'refuse' && name === 'UserPromptSubmit')
    return jsonReply({ continue: false, stopReason: answer.reason });
  if (kind === 'silent' && notice === null) return jsonReply({ suppressOutput: true });
  return blockingReply(answer);
}
