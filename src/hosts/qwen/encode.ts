import type { Reply } from '../../core/reply.ts';
import { blockingReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/** Without this hint the agent would escape its claim too. */
const ESCAPED =
  'In this text &lt; stands for the less-than sign and &gt; for the greater-than sign: write the signs themselves.';

/** As in Claude Code, except that Qwen Code escapes angle brackets in the context of a prompt. */
export function encode(given: HostAnswer): Reply {
  const answer = withNoticeForAgent(given);
  return answer.kind === 'context' && /[<>]/u.test(answer.text)
    ? blockingReply({ ...answer, text: `${answer.text}\n\n${ESCAPED}` })
    : blockingReply(answer);
}

/** Its screen does not show the notice of a hook at a prompt, so our text asks the agent to pass it on. */
function withNoticeForAgent(answer: HostAnswer): HostAnswer {
  const { kind, name, notice } = answer;
  if (notice === null || name !== 'UserPromptSubmit' || (kind !== 'context' && kind !== 'silent')) return answer;
  const request = `Tell the user this first, word for word: ${notice}`;
  return { kind: 'context', name, notice, text: kind === 'context' ? `${request}\n\n${answer.text}` : request };
}
