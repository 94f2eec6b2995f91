// @ts-check
/** The extension for pi: it calls tireless before the agent settles, and may continue instead. */
import { COMMANDS, connect, isCommand } from '../ask.js';

/**
 * What we use of the API of pi; the types of its package are not ours to ship.
 *
 * @typedef {{
 *   readonly cwd: string,
 *   readonly hasUI: boolean,
 *   readonly ui: { notify(text: string, kind: 'info' | 'warning'): void },
 *   readonly sessionManager: { getSessionId(): string, getEntries(): readonly { readonly type: string }[] },
 *   isIdle(): boolean,
 *   hasPendingMessages(): boolean,
 * }} Context
 * @typedef {{
 *   readonly role: string,
 *   readonly content?: string | readonly { readonly type: string, readonly text?: string }[],
 *   readonly stopReason?: string,
 *   readonly errorMessage?: string,
 *   readonly usage?: { readonly totalTokens?: number, readonly cost?: { readonly total?: number } },
 * }} Message
 * @typedef {{
 *   on(event: string, handler: (event: any, context: Context) => unknown): void,
 *   registerCommand(name: string, command: object): void,
 *   getCommands(): readonly { readonly name: string, readonly source: string }[],
 *   sendUserMessage(text: string, options?: object): void,
 *   sendMessage(message: object, options?: object): void,
 * }} Pi
 */

/**
 * @typedef {ReturnType<typeof newTurn>} Turn What a turn has used, and who began it.
 * @typedef {{
 *   pi: Pi,
 *   turn: Turn,
 *   beside: string[],
 *   isAnyArmed: () => boolean,
 *   isArmed: (context: Context) => boolean,
 *   isToolAsked: (context: Context, input: unknown) => boolean,
 *   ask: (context: Context, event: string, more: object) => Promise<import('../ask.js').Answer>,
 *   wakeLater: (context: Context, failure: object) => Promise<void>,
 * }} World `beside`: what the agent reads beside the next prompt.
 */

const KIND = 'tireless';

/**
 * @param {Pi} pi
 * @param {import('../ask.js').Place} place
 */
export default function tireless(pi, place) {
  const link = connect('pi', place);
  /** @type {World} */
  const world = {
    pi,
    turn: newTurn(),
    beside: [],
    isAnyArmed: link.isAnyArmed,
    isArmed: (context) => link.isArmed(context.sessionManager.getSessionId()),
    isToolAsked: (context, input) => link.isToolAsked(context.sessionManager.getSessionId(), input),
    ask: async (context, event, more) => {
      const session = context.sessionManager.getSessionId();
      const answer = await link.ask({ hook_event_name: event, session_id: session, cwd: context.cwd, ...more });
      if (answer.notice !== null) tell(context, answer.notice);
      return answer;
    },
    wakeLater: (context, failure) => wakeLater(world, link, context, failure),
  };
  pi.on('session_start', (event, context) => started(world, event, context));
  pi.on('input', (event, context) => typed(world, event, context));
  pi.on('before_agent_start', () => besides(world));
  pi.on('message_end', ({ message }) => {
    if (message.role === 'assistant') world.turn = withMessage(world.turn, message);
  });
  pi.on('tool_call', (event, context) => toolWanted(world, event, context));
  pi.on('agent_before_settle', (event, context) => settling(world, event, context));
  pi.on('agent_end', (event, context) => ended(world, event, context));
  pi.on('session_compact', (_event, context) => compacted(world, context));
}

/** @param {World} world @param {{ reason: string }} event @param {Context} context */
async function started(world, { reason }, context) {
  world.turn = newTurn();
  world.beside = [];
  // Without a screen, a command of pi would end before the work begins, so the prompt itself is read.
  if (context.hasUI) makeKnown(world);
  // The extension was reloaded, not the session.
  if (reason === 'reload' || !world.isAnyArmed()) return;
  const answer = await world.ask(context, 'SessionStart', { source: sourceOf(reason, context) });
  if (answer.kind === 'context') world.beside.push(answer.text);
}

/**
 * A prompt, before pi processes it.
 *
 * @param {World} world
 * @param {{ text: string, images?: unknown, source: string, streamingBehavior?: string }} event
 * @param {Context} context
 */
async function typed(world, { text, images, source, streamingBehavior }, context) {
  if (source === 'extension') return undefined;
  const isTyped = isCommand(text);
  if (!isTyped && !world.isArmed(context)) return undefined;
  world.turn.sentBack = false;
  const answer = await world.ask(context, 'UserPromptSubmit', { prompt: text });
  if (isTyped) {
    // The user's own command of that name: pi expands it.
    if (answer.kind === 'silent' && answer.notice === null) return undefined;
    if (answer.kind === 'context') return { action: 'transform', text: answer.text, images };
    tell(context, answer.text);
    return { action: 'handled' };
  }
  if (answer.kind !== 'context') return undefined;
  // While the agent works, nothing can be added beside the prompt.
  if (streamingBehavior !== undefined) return { action: 'transform', text: `${text}\n\n${answer.text}`, images };
  world.beside.push(answer.text);
  return undefined;
}

/** @param {World} world */
function besides(world) {
  const content = world.beside.join('\n\n');
  world.beside = [];
  return content === '' ? undefined : { message: { customType: KIND, content, display: true } };
}

/** @param {World} world @param {{ toolName: string, input: unknown }} event @param {Context} context */
async function toolWanted({ isToolAsked, ask }, { toolName, input }, context) {
  if (!isToolAsked(context, input)) return undefined;
  const answer = await ask(context, 'PreToolUse', { tool_name: toolName, tool_input: input });
  return answer.kind === 'refuse' ? { block: true, reason: answer.text } : undefined;
}

/**
 * @param {World} world
 * @param {{ entries: readonly object[], continue: boolean, outcome: string }} event
 * @param {Context} context
 */
async function settling(world, { entries, continue: goesOn, outcome }, context) {
  // An agent that continues anyway has not stopped.
  if (goesOn || outcome === 'aborted' || context.hasPendingMessages() || !world.isArmed(context)) return undefined;
  const { text, error, sentBack, tokens, costUsd } = world.turn;
  world.turn = newTurn();
  if (outcome === 'error') {
    const failure = { error, status: statusIn(error) };
    // Without a screen pi exits now, and nobody could be woken.
    if (context.hasUI) await world.wakeLater(context, failure);
    else await world.ask(context, 'StopFailure', failure);
    return undefined;
  }
  const answer = await world.ask(context, 'Stop', {
    last_assistant_message: text,
    stop_hook_active: sentBack,
    usage: { tokens, cost_usd: costUsd },
  });
  if (answer.kind !== 'go-on') return undefined;
  world.turn.sentBack = true;
  const entry = { type: 'custom_message', customType: KIND, content: answer.text, display: true };
  return { entries: [...entries, entry], continue: true };
}

/**
 * A turn failed: it is retried later, unless the user writes first. Resolves when the reply has arrived.
 *
 * @param {World} world
 * @param {ReturnType<typeof connect>} link
 * @param {Context} context
 * @param {object} failure
 * @returns {Promise<void>}
 */
function wakeLater(world, link, context, failure) {
  const session = context.sessionManager.getSessionId();
  const payload = { hook_event_name: 'StopFailure', session_id: session, cwd: context.cwd, ...failure };
  return new Promise((resolve) => {
    const woken = link.wake(payload, ({ notice }) => {
      if (notice !== null) tell(context, notice);
      resolve();
    });
    void begin(world, woken, () => context.sessionManager.getSessionId() === session && context.isIdle());
  });
}

/** @param {World} world @param {Promise<string | null>} woken @param {() => boolean} isFree */
async function begin(world, woken, isFree) {
  const prompt = await woken;
  if (prompt === null || !isFree()) return;
  world.turn.sentBack = true;
  world.pi.sendUserMessage(prompt, {});
}

/**
 * Nothing settles after Esc, so this is the only event.
 * @param {World} world
 * @param {{ messages: readonly Message[] }} event
 * @param {Context} context
 */
async function ended(world, { messages }, context) {
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (last?.stopReason !== 'aborted' || !world.isArmed(context)) return;
  world.turn = newTurn();
  await world.ask(context, 'TurnAborted', {});
}

/** Repeats the goal and the open findings. @param {World} world @param {Context} context */
async function compacted({ pi, isArmed, ask }, context) {
  if (!isArmed(context)) return;
  const answer = await ask(context, 'SessionStart', { source: 'compact' });
  if (answer.kind !== 'context') return;
  pi.sendMessage({ customType: KIND, content: answer.text, display: false }, { triggerTurn: false });
}

/**
 * With a screen: in the list of commands, even while the agent works. A command of an extension would hide a prompt of the user with the
 * same name, so ours are then called `tireless-ralph` and so on.
 *
 * @param {World} world
 */
function makeKnown({ pi, ask }) {
  const taken = new Set(pi.getCommands().flatMap(({ name, source }) => (source === 'extension' ? [] : [name])));
  const named = Object.entries(COMMANDS);
  const others = named.some(([name]) => taken.has(name))
    ? named.map(([name, about]) => [`tireless-${name}`, about])
    : [];
  for (const [name = '', description] of [...named.filter(([each]) => !taken.has(each)), ...others]) {
    /** @param {string} args @param {Context} context */
    const handler = async (args, context) => {
      const answer = await ask(context, 'UserPromptSubmit', { prompt: `/${name} ${args}` });
      if (answer.kind !== 'context') tell(context, answer.text);
      else pi.sendUserMessage(answer.text, context.isIdle() ? {} : { deliverAs: 'followUp' });
    };
    pi.registerCommand(name, { description, handler });
  }
}

/** @param {Context} context @param {string} text */
function tell(context, text) {
  if (text === '') return;
  if (context.hasUI) context.ui.notify(text, 'info');
  else process.stderr.write(`${text}\n`);
}

/** pi reports a reopened session as a `startup`. @param {string} reason @param {Context} context */
function sourceOf(reason, context) {
  if (reason !== 'startup') return reason === 'new' ? 'clear' : reason;
  return context.sessionManager.getEntries().some(({ type }) => type === 'message') ? 'resume' : 'startup';
}

/** `429: {…}`, `503 Service Unavailable`. @param {string} error */
function statusIn(error) {
  return Number(/^\D{0,20}([45]\d\d)\b/u.exec(error)?.[1] ?? 0);
}

function newTurn() {
  return { text: '', error: '', tokens: 0, costUsd: 0, sentBack: false };
}

/** @param {Turn} turn @param {Message} message */
function withMessage(turn, message) {
  const { usage } = message;
  return {
    ...turn,
    text: textOf(message),
    error: message.errorMessage ?? '',
    tokens: turn.tokens + (usage?.totalTokens ?? 0),
    costUsd: turn.costUsd + (usage?.cost?.total ?? 0),
  };
}

/** @param {Message} message */
function textOf({ content = [] }) {
  if (typeof content === 'string') return content;
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}
