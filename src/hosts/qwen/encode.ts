import type { Reply } from '../../core/reply.ts';
import { blockingReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/** Without it the agent would write its claim as it reads it. */
const ESCAPED =
  'In this text &lt; stands for the less-than sign and &gt; for the greater-than sign: write the signs themselves.';

/** As Claude Code does it; but in what it gives the agent beside a prompt, Qwen Code escapes angle brackets, and nothing else. */
export function encode(answer: HostAnswer): Reply {
  return answer.kind === 'context' && /[<>]/u.test(answer.text)
    ? blockingReply({ ...answer, text: `${answer.text}\n\n${ESCAPED}` })
    : blockingReply(answer);
}
