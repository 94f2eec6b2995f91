import type { Reply } from '../../core/reply.ts';
import { blockingReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/**
 * One JSON object and nothing else: any other byte on stdout would end the turn. `additionalContext` reaches the agent once and is shown
 * as feedback; `decision: block` would be paid for twice and be shown as an error.
 */
export function encode(answer: HostAnswer): Reply {
  return blockingReply(answer.kind === 'go-on' ? { ...answer, kind: 'context', text: answer.prompt } : answer);
}
