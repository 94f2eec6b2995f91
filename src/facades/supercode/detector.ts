import { findClaim } from '../../core/claim.ts';
import { fillTemplate } from '../../core/template.ts';
import { readJson } from '../../dialects/json-file.ts';
import { supercodeClaim } from '../../dialects/supercode/read.ts';
import { readTextIfExists } from '../../system/files.ts';
import { agentWords, isAgentMessage, wordsIn } from './agent-words.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';
import type { Message, RalphLoopState } from './ralph-loop.ts';

export function detectCompletionPromise(text: string, promise: string): boolean {
  return findClaim(supercodeClaim(promise), text, '').made !== null;
}

/**
 * Searches the agent's words. In JSON (one value, or one per line) the words of others are left out, because the injected prompt names the
 * promise too.
 */
export function detectInTranscript(transcriptPath: string | undefined, promise: string): boolean {
  if (transcriptPath === undefined || transcriptPath === '') return false;
  try {
    return detectCompletionPromise(transcriptWords(readTextIfExists(transcriptPath) ?? '').join('\n'), promise);
  } catch (error) {
    Log.warn(`[${HOOK_NAME}] Failed to read transcript: ${String(error)}`);
    return false;
  }
}

/** Only assistant messages, most recent first. */
export async function detectInMessages(messages: Message[], promise: string): Promise<boolean> {
  return messages
    .filter(isAgentMessage)
    .toReversed()
    .some((message) => detectCompletionPromise(wordsIn(message), promise));
}

/** Fills in every placeholder, as often as it occurs; values are inserted verbatim. */
export function buildContinuationPrompt(template: string, state: RalphLoopState): string {
  return fillTemplate(template, {
    ITERATION: String(state.iteration),
    MAX: String(state.maxIterations),
    PROMISE: state.completionPromise,
    PROMPT: state.prompt,
  });
}

function transcriptWords(text: string): string[] {
  const whole = readJson(text);
  if (typeof whole === 'object') return agentWords(whole);
  return text.split('\n').flatMap((line) => {
    const value = readJson(line);
    return typeof value === 'object' ? agentWords(value) : [line];
  });
}
