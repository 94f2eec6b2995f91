import { nameIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';
import { hasQueuedMessage } from './message-queue.ts';
import { TRANSCRIPT } from './transcript.ts';
import { WORK_SIGNS } from './work-signs.ts';

const RULES: PayloadRules = {
  host: 'droid',
  meanings: { Stop: 'stop', SessionStart: 'session-start', UserPromptSubmit: 'prompt', PreToolUse: 'tool' },
  commandsInPrompts: true,
  promptName: 'message_id',
  typed: unwrapped,
  silentWhenFailed: true,
  transcript: TRANSCRIPT,
  workSigns: WORK_SIGNS,
  projectVariable: 'FACTORY_PROJECT_DIR',
  report: (fields, { transcripts }) => {
    const [transcript, session] = [nameIn(fields, 'transcript_path'), nameIn(fields, 'session_id')];
    // Measured: text typed in the meantime reaches the agent when the turn ends, or after a tool; an agent that is sent back and uses no
    // tool never receives it.
    const waits =
      transcript !== undefined && session !== undefined && hasQueuedMessage(transcript, session, transcripts);
    return waits ? { userFirst: true } : {};
  },
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}

/** A command from a file comes as a notice, which contains the text typed after it, unchanged. */
function unwrapped(prompt: string): string {
  return /^<system-notification>\n\n([^]*)\n\n<\/system-notification>$/u.exec(prompt)?.[1] ?? prompt;
}
