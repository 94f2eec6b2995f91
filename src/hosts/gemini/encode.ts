import type { Reply } from '../../core/reply.ts';
import { blockingReply, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/** `deny` makes the reason the next prompt. With `clearContext` the agent knows nothing else: a fresh iteration in the same process. */
export function encode(answer: HostAnswer): Reply {
  if (answer.kind !== 'go-on' || answer.fresh !== true) return blockingReply(answer, { block: 'deny' });
  const { name, prompt, notice } = answer;
  return jsonReply({
    decision: 'deny',
    reason: prompt,
    hookSpecificOutput: { hookEventName: name, clearContext: true },
    ...(notice === null ? {} : { systemMessage: notice }),
  });
}
