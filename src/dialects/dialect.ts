import type { Decision } from '../core/decision.ts';
import type { DialectPort, FileReading } from '../core/foreign-file.ts';
import type { Loop } from '../core/journal.ts';
import type { Reply } from '../core/reply.ts';

/** How an answer travels back to a hook: as JSON, as an exit code with the text on stderr, or as `{"ok": …}`. */
export type ReplyForm = 'json' | 'exit' | 'ok';

export type { Reply };

/** What the engine made of an event; `loop` is the loop after it. */
export type Answer = { readonly decision: Decision; readonly loop: Loop | null; readonly reading: FileReading | null };

/** The document's words for an answer. `goesOn`: the agent is sent back to work with `text`. `notice` is for the user's eyes. */
export type Words = {
  readonly goesOn: boolean;
  readonly text: string;
  readonly reason: string;
  readonly notice?: string;
};

/** A foreign state-file format, read and written live. One file beside its siblings; text in, text out. */
export type Dialect = DialectPort & {
  /** Where the file may stand, relative to the project, best first. `list` names the files of a folder. */
  readonly filesFor: (look: {
    readonly session: string;
    readonly list: (folder: string) => readonly string[];
  }) => readonly string[];
  readonly wordsFor: (answer: Answer) => Words;
  readonly replyForm: ReplyForm;
};

/** The same for every dialect: only the words differ. */
export function replyIn(form: ReplyForm, words: Words): Reply {
  switch (form) {
    case 'json':
      return {
        stdout: `${JSON.stringify({
          ...(words.goesOn ? { decision: 'block', reason: words.text } : {}),
          ...(words.notice === undefined ? {} : { systemMessage: words.notice }),
        })}\n`,
        stderr: '',
        exitCode: 0,
      };
    case 'exit':
      return words.goesOn
        ? { stdout: '', stderr: `${words.text}\n`, exitCode: 2 }
        : { stdout: '', stderr: '', exitCode: 0 };
    case 'ok':
      return { stdout: `${JSON.stringify({ ok: !words.goesOn, reason: words.reason })}\n`, stderr: '', exitCode: 0 };
  }
}
