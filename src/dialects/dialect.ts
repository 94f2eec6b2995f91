import type { Decision } from '../core/decision.ts';
import type { DialectPort, Words, FileReading } from '../core/foreign-file.ts';
import type { Loop } from '../core/journal.ts';
import type { LoopId, Spec } from '../core/loop.ts';
import type { Score } from '../core/rubric.ts';
import type { Reply } from '../core/reply.ts';
import type { Counting } from './counting.ts';

/** How an answer is returned to a hook: as JSON, as an exit code with the text on stderr, or as `{"ok": …}`. */
export type ReplyForm = 'json' | 'exit' | 'ok';

export type { Reply };

/** What the engine decided about an event; `loop` is the loop after it. */
export type Answer = { readonly decision: Decision; readonly loop: Loop | null; readonly reading: FileReading | null };

export type { Words };

/**
 * Everything about a document that other code looks up by its name. Without schemas and YAML, so that every command can load it.
 */
export type DialectDescriptor<Name extends string = string> = {
  readonly name: Name;
  /** Loads the code that reads and writes the file, so that other commands do not pay for it. The fast hook contains no such code. */
  readonly load: () => Promise<Dialect>;
  /** Its documentation page, below `docs/`. */
  readonly page: string;
  /** Files that trigger its hook, relative to the project, in shell syntax: `*` matches any name, and nothing needs quotes. */
  readonly files: readonly string[];
  /** Matches the path of its state file, absolute or relative, on every platform. */
  readonly filePattern: RegExp;
  /** The path of a new loop's file, relative to the project. `session`: the session it is for, if known. */
  readonly newFile: (loop: LoopId, session: string | null) => string;
  readonly replyForm: ReplyForm;
  readonly counting: Counting;
  /** The maximum for a file that names none, counted as the document counts. */
  readonly maxIterationsDefault: number;
  /** Does the file name the session it belongs to? */
  readonly namesSession: boolean;
  /** Does the document define what happens after a failed turn? */
  readonly describesErrors: boolean;
  /** Does the end of its session end the loop? */
  readonly endsWithSession?: true;
  /** Does it remind the agent of the tasks that the host keeps for the session? */
  readonly remindsOfTasks?: true;
  /** Can its stop wait for a person? */
  readonly waitsForApproval?: true;
  /** Does any one of its endings complete the loop, or only all of them together? */
  readonly endsBy: 'any' | 'all';
  readonly start: StartRules;
};

/** What `tireless start --dialect` may put into a new file besides the goal and a maximum. */
type StartRules = {
  /** How many claims the file can contain. `fixed`: the document has its own claim. */
  readonly claims: 'one' | 'several' | 'fixed';
  /** If a mere mention counts as a claim, this must be words that nobody writes by accident. */
  readonly claimDefault: string;
  readonly flags: readonly ('claim' | 'criterion' | 'max-cost' | 'watch-file' | 'done-folder' | keyof AskedTimes)[];
};

/** Which times the user set; the document determines the others. */
export type AskedTimes = { readonly 'max-duration'?: true; readonly 'pause-between'?: true };

/** A claim for documents in which a mention counts. */
export const CLAIM_NOT_BY_CHANCE = 'The goal is met and checked';

/** The code of a foreign state-file format, read and written live: text in, text out. */
export type Dialect = DialectPort & {
  /** Where the file may be, relative to the project, most likely first. `list` returns the file names in a folder. */
  readonly filesFor: (look: {
    readonly session: string;
    readonly list: (folder: string) => readonly string[];
  }) => readonly string[];
  readonly wordsFor: (answer: Answer) => Words;
  readonly replyForm: ReplyForm;
  /** The file for a loop that has none yet. Anything the document cannot express is left out. */
  readonly newText: (loop: Loop, asked?: AskedTimes) => string;
  /** Criteria for a goal without any, if the document needs at least one to end a loop. */
  readonly criteriaFor?: (goal: string) => readonly string[];
  /** The score of a goal, if the document requires one before a loop starts. */
  readonly scoreFor?: (spec: Spec) => Score;
};

/** The same for every dialect: only the texts differ. */
export function replyIn(form: ReplyForm, words: Words): Reply {
  switch (form) {
    case 'json':
      return {
        stdout: `${JSON.stringify({
          ...(words.sendsBack ? { decision: 'block', reason: words.text } : {}),
          ...(words.notice === undefined ? {} : { systemMessage: words.notice }),
        })}\n`,
        stderr: '',
        exitCode: 0,
      };
    case 'exit':
      return words.sendsBack
        ? { stdout: '', stderr: `${words.text}\n`, exitCode: 2 }
        : { stdout: '', stderr: '', exitCode: 0 };
    case 'ok':
      return {
        stdout: `${JSON.stringify({ ok: !words.sendsBack && words.repeats !== true, reason: words.reason })}\n`,
        stderr: '',
        exitCode: 0,
      };
  }
}
