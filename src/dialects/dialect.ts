import type { Decision } from '../core/decision.ts';
import type { DialectPort, Words, FileReading } from '../core/foreign-file.ts';
import type { Loop } from '../core/journal.ts';
import type { LoopId, Spec } from '../core/loop.ts';
import type { Score } from '../core/rubric.ts';
import type { Reply } from '../core/reply.ts';
import type { Counting } from './counting.ts';

/** How an answer travels back to a hook: as JSON, as an exit code with the text on stderr, or as `{"ok": …}`. */
export type ReplyForm = 'json' | 'exit' | 'ok';

export type { Reply };

/** What the engine made of an event; `loop` is the loop after it. */
export type Answer = { readonly decision: Decision; readonly loop: Loop | null; readonly reading: FileReading | null };

export type { Words };

/**
 * Everything about a document that other code looks up by its name. Plain data, without schemas and YAML: every command may load it.
 * The code that reads and writes the file is a `Dialect`, and is loaded only when it is needed.
 */
export type DialectDescriptor<Name extends string = string> = {
  readonly name: Name;
  /** The page about it, below `docs/`. */
  readonly page: string;
  /** Files that wake its hook, relative to the project, as a shell writes them: `*` is any name, and nothing needs quotes. */
  readonly files: readonly string[];
  /** Matches the path of its state file, absolute or relative, on every platform. */
  readonly filePattern: RegExp;
  /** Where the file of a new loop stands, relative to the project. `session`: the session it is for, if that is known. */
  readonly newFile: (loop: LoopId, session: string | null) => string;
  readonly replyForm: ReplyForm;
  readonly counting: Counting;
  /** The maximum of a file that names none, counted as the document counts. */
  readonly maxIterationsDefault: number;
  /** Does the file name the session it belongs to? */
  readonly namesSession: boolean;
  /** Does the document say what happens after a turn that failed? */
  readonly describesErrors: boolean;
  /** Does the end of its session end the loop? */
  readonly endsWithSession?: true;
  /** Does it remind of the tasks that the host keeps for a session? */
  readonly remindsOfTasks?: true;
  /** Does a stop of it wait for a person? */
  readonly waitsForApproval?: true;
  /** Does one of its endings complete the loop, or only all of them together? */
  readonly endsBy: 'any' | 'all';
  readonly start: StartRules;
};

/** What `tireless start --dialect` may put into a new file, beside the goal and a maximum. */
type StartRules = {
  /** How many claims the file holds. `fixed`: the document has one of its own. */
  readonly claims: 'one' | 'several' | 'fixed';
  /** Where a mere mention counts as a claim, this must not be a text that is written by chance. */
  readonly claimDefault: string;
  readonly flags: readonly ('claim' | 'criterion' | 'max-cost' | 'watch-file' | 'done-folder' | keyof AskedTimes)[];
};

/** The times that the user named; the others are the document's to say. */
export type AskedTimes = { readonly 'max-duration'?: true; readonly 'pause-between'?: true };

/** A claim for documents in which a mention counts. */
export const CLAIM_NOT_BY_CHANCE = 'The goal is met and checked';

/** The code of a foreign state-file format, read and written live: text in, text out. */
export type Dialect = DialectPort & {
  /** Where the file may stand, relative to the project, best first. `list` names the files of a folder. */
  readonly filesFor: (look: {
    readonly session: string;
    readonly list: (folder: string) => readonly string[];
  }) => readonly string[];
  readonly wordsFor: (answer: Answer) => Words;
  readonly replyForm: ReplyForm;
  /** The file of a loop that has none yet. What the document has no word for is left out. */
  readonly newText: (loop: Loop, asked?: AskedTimes) => string;
  /** Criteria for a goal that came without, where the document ends no loop without one. */
  readonly criteriaFor?: (goal: string) => readonly string[];
  /** The score of a goal, where the document asks for one before a loop starts. */
  readonly scoreFor?: (spec: Spec) => Score;
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
      return {
        stdout: `${JSON.stringify({ ok: !words.goesOn && words.repeats !== true, reason: words.reason })}\n`,
        stderr: '',
        exitCode: 0,
      };
  }
}
