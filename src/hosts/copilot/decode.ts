import { isOurCommandText } from '../command-mark.ts';
import type { Fields } from '../fields.ts';
import { nameIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';
import { readAnswerWaits } from './answer-waits.ts';
import { TRANSCRIPT } from './transcript.ts';

/** No setting raises it. Only a prompt of the user restarts the count; tool calls do not. */
const REPLIES_IN_ROW_MAX = 8;

/** Without `ErrorOccurred`, which is reported for every attempt of a call, even if Copilot retries and succeeds. */
const RULES: PayloadRules = {
  host: 'copilot',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  projectVariable: 'COPILOT_PROJECT_DIR',
  transcript: TRANSCRIPT,
  answerWaits: readAnswerWaits,
  awaited: hookStartOf,
  commandsInPrompts: true,
  promptName: 'timestamp',
  typed: withoutSkill,
  // Text added at the start of a resumed session comes before the whole conversation, and both hooks run at the same time.
  restatesAtPrompt: true,
  // Copilot runs the hook of a new session and the one that arms a loop at the same time.
  newSource: 'new',
  // The same for all hooks of an event.
  stopName: (fields) => nameIn(fields, 'timestamp'),
  report: () => ({ repliesInRowMax: REPLIES_IN_ROW_MAX }),
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}

/** Copilot writes the transcript shortly after it starts the hook, and records that start with the same time in another form. */
function hookStartOf(fields: Fields): string | undefined {
  const at = Date.parse(nameIn(fields, 'timestamp') ?? '');
  return Number.isNaN(at) ? undefined : `"timestamp":${at},`;
}

/**
 * In a terminal `/ralph goal` is a skill (`install`), and the prompt is its text with the arguments at the end, exactly as typed. A skill
 * of the user is a prompt like any other.
 */
function withoutSkill(prompt: string): string {
  const [, name, args = ''] =
    /^The user explicitly invoked the "\/([a-z-]+)" skill\.[^]*?(?:\nARGUMENTS: ([^]*))?\n<\/skill-context>\s*$/u.exec(
      prompt,
    ) ?? [];
  return name === undefined || !isOurCommandText(prompt) ? prompt : `/${name} ${args}`;
}
