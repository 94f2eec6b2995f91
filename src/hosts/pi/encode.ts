import type { Reply } from '../../core/reply.ts';
import { jsonReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/** Read by our own plugin inside the host (`plugins/`), so our texts are passed on unchanged. */
export function encode(answer: HostAnswer): Reply {
  return jsonReply(answer);
}
