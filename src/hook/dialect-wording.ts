import type { Reply } from '../core/reply.ts';
import type { ReplyForm, Words } from '../dialects/dialect.ts';
import { replyIn } from '../dialects/dialect.ts';
import type { Host } from '../hosts/host.ts';
import type { Wording } from './answer-payload.ts';
import type { DialectAnswer } from './dialect-scene.ts';
import { NO_LOOP } from './dialect-scene.ts';

/** In the words of the document and the form that its hook was installed with. */
export function dialectWording(form: ReplyForm, { encode }: Pick<Host, 'encode'>): Wording<DialectAnswer> {
  return {
    silence: () => replyIn(form, NO_LOOP),
    reply: (answer, { name }) => {
      switch (answer.kind) {
        case 'words':
          return inWords(form, answer.words);
        case 'context':
          return inContext(form, answer);
        case 'tool':
          return answer.reason === null
            ? encode({ kind: 'silent', name, notice: null })
            : encode({ kind: 'refuse', reason: answer.reason, name, notice: null });
      }
    },
  };
}

/** Forms without a field for the user leave only stderr, which the agent reads when it continues. */
function inWords(form: ReplyForm, words: Words): Reply {
  const reply = replyIn(form, words);
  return form === 'json' || words.sendsBack || words.notice === undefined
    ? reply
    : { ...reply, stderr: `${words.notice}\n` };
}

/** In the exit form, the output of a prompt hook is read before the prompt, as plain text. */
function inContext(form: ReplyForm, { at, text, notice }: DialectAnswer & { readonly kind: 'context' }): Reply {
  const reply = {
    hookSpecificOutput: { hookEventName: at, additionalContext: text },
    ...(notice === undefined ? {} : { systemMessage: notice }),
  };
  const isPlain = form === 'exit' && at === 'UserPromptSubmit';
  return { stdout: `${isPlain ? text : JSON.stringify(reply)}\n`, stderr: '', exitCode: 0 };
}
