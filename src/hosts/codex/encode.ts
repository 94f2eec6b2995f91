import type { Reply } from '../../core/reply.ts';
import { blockingReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/** Codex refuses a reply with an unknown key, and then stops silently: nothing may be added here. */
export function encode(answer: HostAnswer): Reply {
  return blockingReply(answer);
}
