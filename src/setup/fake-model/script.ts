import type { Fields } from '../../hosts/fields.ts';

/** Which of the four protocols a client spoke. */
export type Wire = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/**
 * One action of the model. `write` and `shell` become whichever tool the client declares for it; `tool` is called by its own name. A list
 * is one reply with several parts. `status` and `hang` are used alone.
 */
export type Step = (
  | { readonly text: string }
  /** Its thoughts before it speaks, in the format of its wire. */
  | { readonly thought: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly shell: string }
  | { readonly tool: string; readonly args: Fields }
  /** `headers` and `fields` (of the error in the body): how a service reports the end of its limit. */
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly fields?: Fields;
    }
  | { readonly hang: true }
) & { readonly usage?: Partial<Usage> };

export type Answer = Step | readonly Step[];

/** Called once for every request that declares tools. May wait: the client sees a slow model. A throw is an HTTP 500. */
export type Script = (request: ModelRequest) => Answer | Promise<Answer>;

/** `cached` tokens are part of `input`. */
export type Usage = { readonly input: number; readonly output: number; readonly cached: number };

export type ModelRequest = {
  readonly wire: Wire;
  /** `/lane/NAME/v1` as base URL gives a client its own lane, so that a script can tell two of them apart. */
  readonly lane: string;
  /** The client's session, if the client reports it. */
  readonly session: string | null;
  /** A subagent, if the client reports it; its turns are counted separately. */
  readonly agent: string | null;
  readonly model: string;
  /** From 1; counts the requests with tools of this lane, session and subagent. */
  readonly turn: number;
  readonly messages: readonly ShownMessage[];
  /** The user's last message that is not a tool result. */
  readonly lastUserText: string;
  /** Everything since the model last spoke: the user's words, tool results, text from hooks. */
  readonly news: string;
  readonly tools: readonly string[];
  /** Names in lower case; without the key. */
  readonly headers: Readonly<Record<string, string>>;
};

export type ShownMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
};

export type ToolDeclaration = { readonly name: string; readonly schema: Fields };

/** The part of a body that a wire reads. */
export type WireRequest = {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly ShownMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly session: string | null;
};

/** The reply that a wire writes. */
export type ModelReply = {
  readonly id: string;
  readonly model: string;
  readonly parts: readonly ReplyPart[];
  readonly usage: Usage;
};

export type ReplyPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: Fields };

export type WireCodec = {
  readonly read: (body: Fields) => WireRequest;
  /** The body of an answer that is not streamed. */
  readonly whole: (reply: ModelReply) => Fields;
  /** The text of a server-sent event stream, from the first event to the last. */
  readonly stream: (reply: ModelReply) => string;
  readonly error: (status: number, message: string) => Fields;
};

const USAGE: Usage = { input: 100, output: 20, cached: 0 };

export function usageOf(steps: readonly Step[]): Usage {
  return { ...USAGE, ...steps.find((step) => step.usage !== undefined)?.usage };
}

export function lastUserText(messages: readonly ShownMessage[]): string {
  return messages.findLast((message) => message.role === 'user' && message.text !== '')?.text ?? '';
}

export function newMessagesIn(messages: readonly ShownMessage[]): string {
  const spoken = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(spoken + 1)
    .map((message) => message.text)
    .join('\n');
}

/** One step for each turn; the last one repeats for all later turns. */
export function inTurn(...answers: readonly [Answer, ...Answer[]]): Script {
  return (request) => answers[Math.min(request.turn, answers.length) - 1] ?? answers[0];
}

export function sentEvent(data: Fields | string, name?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
}
