import type { Reply } from '../../core/reply.ts';
import { blockingReply, jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * One JSON object and nothing else: any other byte on stdout would end the turn. `additionalContext` reaches the agent once and is shown as
 * feedback; `decision: block` would be paid for twice and shown as an error.
 */
export function encode(answer: HostAnswer): Reply {
  const { kind, name } = answer;
  if (kind === 'refuse' && name === 'UserPromptExpansion')
    return jsonReply({
      decision: 'block',
      reason: answer.reason,
      // Without it the typed line is repeated below the answer. Older versions (2.1.197) ignore it.
      hookSpecificOutput: { hookEventName: name, suppressOriginalPrompt: true },
    });
  return blockingReply(answer.kind === 'go-on' ? { ...answer, kind: 'context', text: answer.prompt } : answer);
}
