import type { Reply } from '../../core/reply.ts';
import { blockingReply } from '../blocking.ts';
import type { HostAnswer } from '../host.ts';

/** Without it the agent would escape its claim, too. */
const ESCAPED =
  'In this text &lt; stands for the less-than sign and &gt; for the greater-than sign: write the signs themselves.';

/** As in Claude Code, but in the context of a prompt Qwen Code escapes angle brackets, and nothing else. */
export function encode(given: HostAnswer): Reply {
  const answer = withNoticeForAgent(given);
  return answer.kind === 'context' && /[<>]/u.test(answer.text)
    ? blockingReply({ ...answer, text: `${answer.text}\n\n${ESCAPED}` })
    : blockingReply(answer);
}

/** At a prompt its screen does not show the notice of a hook, so our text asks the agent to pass it on. */
function withNoticeForAgent(answer: HostAnswer): HostAnswer {
  const { kind, name, notice } = answer;
  if (notice === null || name !== 'UserPromptSubmit' || (kind !== 'context' && kind !== 'silent')) return answer;
  const told = `Tell the user this first, word for word: ${notice}`;
  return { kind: 'context', name, notice, text: kind === 'context' ? `${told}\n\n${answer.text}` : told };
}
