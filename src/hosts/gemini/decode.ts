import { textIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { Shape } from '../shaped.ts';
import { decodeShaped } from '../shaped.ts';

const SHAPE: Shape = {
  host: 'gemini',
  meanings: { AfterAgent: 'stop', SessionStart: 'session-start', BeforeAgent: 'prompt', BeforeTool: 'tool' },
  commandsInPrompts: true,
  typed: withoutCommandFile,
  projectVariable: 'GEMINI_PROJECT_DIR',
  // The payload holds the answers of all turns since the user's prompt.
  transcriptFirst: true,
  message: (fields) => textIn(fields, 'prompt_response'),
};

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodeShaped(SHAPE, payload, environment);
}

/** What a file of ours says (`/ralph`), and below it the whole line as it was typed: the file does not ask for the words, which would come with single spaces. */
function withoutCommandFile(prompt: string): string {
  return prompt.replace(/^\/[a-z-]+\n\n(?=\/)/u, '');
}
