import { isOurParagraph } from '../command-mark.ts';
import type { Fields } from '../fields.ts';
import { nameIn, textIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';
import { isAnswered } from '../transcript.ts';
import { TRANSCRIPT } from './transcript.ts';
import { WORK_SIGNS } from './work-signs.ts';

const RULES: PayloadRules = {
  host: 'gemini',
  meanings: { AfterAgent: 'stop', SessionStart: 'session-start', BeforeAgent: 'prompt', BeforeTool: 'tool' },
  commandsInPrompts: true,
  workSigns: WORK_SIGNS,
  promptName: 'timestamp',
  typed: withoutAdditions,
  projectVariable: 'GEMINI_PROJECT_DIR',
  // The payload contains the answers of all turns since the user's prompt.
  transcriptFirst: true,
  transcript: TRANSCRIPT,
  message: (fields) => textIn(fields, 'prompt_response'),
  stopName,
  // After Esc, Gemini calls at once. It would use a reply as the next prompt, break that off too, and call again. Nothing ended, so nothing
  // is counted.
  report: (fields, { transcripts }) => {
    const transcript = nameIn(fields, 'transcript_path');
    return transcript !== undefined && !isAnswered(transcript, TRANSCRIPT, transcripts) ? { userFirst: true } : {};
  },
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}

/**
 * Not the time: once Gemini's loop detection has triggered, every reply that sends the agent back leads to the next stop without a call of
 * the model, forever. The answers since the user's prompt grow with every answer, and the transcript with every prompt. If neither grew,
 * this is the same stop again, and giving no reply ends it.
 */
function stopName(fields: Fields, { hashText, bytesOf }: HostEnvironment): string {
  const transcript = nameIn(fields, 'transcript_path');
  const bytes = transcript === undefined ? null : bytesOf(transcript);
  return `${hashText(textIn(fields, 'prompt_response') ?? '')}:${bytes ?? ''}`;
}

/** Without its screen, Gemini puts the text of a resumed session before its first prompt, escaped so that it cannot end the tag. */
const CONTEXT_AT_START = /^<hook_context>[^]*?<\/hook_context>\s*/u;

/** How the text of our command file begins. */
const COMMAND_FILE = /^\/[a-z-]+\n\n/u;

function withoutAdditions(prompt: string): string {
  return withoutCommandFile(prompt.replace(CONTEXT_AT_START, ''));
}

/** The file contains `/ralph`, then its paragraph for the agent (missing in older files); the whole typed line follows. */
function withoutCommandFile(prompt: string): string {
  const rest = prompt.replace(COMMAND_FILE, '');
  const end = rest.indexOf('\n\n');
  const typed = end !== -1 && isOurParagraph(rest.slice(0, end)) ? rest.slice(end + 2) : rest;
  return typed.startsWith('/') ? typed : prompt;
}
