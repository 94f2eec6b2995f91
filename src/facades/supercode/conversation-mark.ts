import type { PromptMark } from '../../core/prompt-mark.ts';
import { textAfterPrompt } from '../../core/prompt-mark.ts';
import { sha256 } from '../../system/ids.ts';
import { isAgentMessage, isUserMessage, member, wordsIn } from './agent-words.ts';
import type { Message } from './ralph-loop.ts';

/** How much of a conversation has been heard. */
export type ConversationMark = { readonly count: number; readonly hash: string };

export function markOf(messages: readonly Message[]): ConversationMark {
  const words = messages.map((message) => [member(message, 'role'), wordsIn(message)]);
  return { count: messages.length, hash: sha256(JSON.stringify(words)) };
}

/**
 * What was heard before this stop. `this-loop`: judged at an earlier stop of the loop. `earlier-loop`: said before the loop began. The
 * other two are the same, taken from the journal of an earlier loop. If nothing was added since, `other-hook` (in this process) proves
 * nothing: a host that shows the same words at every call looks the same. Nor does `other-process` if the host shows no prompts.
 */
export type KnownMark = {
  readonly at: ConversationMark;
  readonly from: 'this-loop' | 'earlier-loop' | 'other-hook' | 'other-process';
};

export type Conversation = {
  readonly known: readonly KnownMark[];
  /** The task, as in the user message that began the loop. */
  readonly goal: string;
  /** The prompt of the current iteration, as delivered; `undefined` = there is none. */
  readonly prompt: PromptMark | undefined;
};

/** The agent's words that may complete the loop: everything except what provably belongs to an earlier loop or was already judged. */
export function newAgentMessages(messages: readonly Message[], conversation: Conversation): string[] {
  return messages.slice(firstNew(messages, conversation)).filter(isAgentMessage).map(wordsIn);
}

function firstNew(messages: readonly Message[], { known, goal, prompt }: Conversation): number {
  const found = known.filter(
    (each) => isProof(each, messages) && markOf(messages.slice(0, each.at.count)).hash === each.at.hash,
  );
  const from = Math.max(0, ...found.map(({ at }) => at.count));
  if (found.some((each) => each.from === 'this-loop')) return from;
  // The host has dropped messages since the last stop. Everything before the current prompt was judged then.
  const isCut = known.some((each) => each.from === 'this-loop');
  const isPrompt = (message: Message): boolean => prompt !== undefined && isPromptIn(message, prompt);
  const promptAt = isCut ? messages.findLastIndex(isPrompt) : -1;
  // The loop began with its task: everything before that message is older.
  const goalAt = messages.findIndex((message, at) => at >= from && isFromUser(message, goal));
  return Math.max(from, promptAt, goalAt);
}

/** Is this the message that delivered that prompt? */
export function isPromptIn(message: Message, prompt: PromptMark): boolean {
  return isUserMessage(message) && textAfterPrompt(wordsIn(message), prompt) === '';
}

/** A host that shows only the last message shows the same list if the agent says the same words again. */
export function showsNewestOnly(messages: readonly Message[]): boolean {
  return messages.length === 1 && messages.every(isAgentMessage);
}

function isProof({ at, from }: KnownMark, messages: readonly Message[]): boolean {
  switch (from) {
    case 'this-loop':
    case 'earlier-loop':
      return true;
    case 'other-hook':
      return at.count < messages.length;
    case 'other-process':
      return at.count < messages.length || messages.some(isUserMessage);
  }
}

function isFromUser(message: Message, text: string): boolean {
  return isUserMessage(message) && text.trim() !== '' && wordsIn(message).trim() === text.trim();
}
