// @ts-check
import { textOf } from './world.js';

/**
 * @typedef {import('./world.js').World} World
 * @typedef {import('./world.js').Session} Session
 * @typedef {import('./world.js').Message} Message
 * @typedef {import('./world.js').Part} Part
 */

/** The model never reads it. */
const HOLD = 'tireless looks at the work.';
/** How a request ends if it is not the last one of its turn. */
const GOES_ON = new Set(['tool-calls', 'unknown']);

/**
 * A text is complete: the turn is kept open, in case it has ended.
 *
 * @param {World} world
 * @param {{ sessionID: string, messageID: string }} input
 */
export async function held({ client, link, sessionOf }, { sessionID, messageID }) {
  const session = sessionOf(sessionID);
  if (!link.isArmed(sessionID) || session.held !== null || session.isEnding) return;
  const { data } = await client.session.message({ path: { id: sessionID, messageID } });
  // A summary does not end a turn, and after a tool the turn continues by itself.
  if (data?.info.summary === true || data?.parts.some((/** @type {Part} */ { type }) => type === 'tool')) return;
  const { agent, model } = session;
  const parts = [{ type: 'text', text: HOLD, synthetic: true }];
  const put = await client.session.prompt({ path: { id: sessionID }, body: { noReply: true, agent, model, parts } });
  session.held = put.data?.parts[0] ?? null;
}

/**
 * Before a request to the model. If a turn was kept open, it is now known whether it had ended.
 *
 * @param {World} world
 * @param {{ messages: Message[] }} output
 */
export async function asked(world, { messages }) {
  const id = messages.at(-1)?.info.sessionID ?? '';
  const session = world.sessionOf(id);
  const isOfSummary = session.isCompacting;
  session.isCompacting = false;
  if (isOfSummary) return;
  if (session.isEnding) {
    const isAnswered = messages
      .findLast(({ info }) => info.role === 'user')
      ?.parts.some(({ ignored }) => ignored === true);
    if (!session.isOvertaken || isAnswered === true) {
      await end(world, id);
      return;
    }
    session.isEnding = false;
    session.isOvertaken = false;
  }
  const { held: hold } = session;
  if (hold === null) return;
  session.held = null;
  const last = messages.findLast(({ info }) => info.role === 'assistant' && info.summary !== true);
  if (last === undefined || GOES_ON.has(last.info.finish ?? 'unknown') || isSpokenTo(messages, last, hold)) {
    await withdraw(world, hold, messages);
    return;
  }
  session.settled = last.info.id;
  const answer = await world.ask(id, 'Stop', stopOf(session, last, messages));
  if (answer.kind === 'go-on') {
    session.sentBack = true;
    await replace(world, hold, messages, answer.text);
    return;
  }
  session.isEnding = true;
  session.isOvertaken = false;
  await end(world, id);
}

/**
 * A summary is written next: it includes the goal and the open findings.
 *
 * @param {World} world
 * @param {{ sessionID: string }} input
 * @param {{ context: string[] }} output
 */
export async function compacting({ link, ask, sessionOf }, { sessionID }, { context }) {
  sessionOf(sessionID).isCompacting = true;
  if (!link.isArmed(sessionID)) return;
  const answer = await ask(sessionID, 'SessionStart', { source: 'compact' });
  if (answer.kind === 'context') context.push(answer.text);
}

/**
 * The report of a stop, here and after a turn that ended without a text.
 *
 * @param {Session} session
 * @param {Message} last
 * @param {readonly Message[]} messages
 */
export function stopOf(session, last, messages) {
  const since = messages.filter(({ info }) => info.role === 'assistant' && info.id > session.reported);
  session.reported = last.info.id;
  const { waitedMs } = session;
  session.waitedMs = 0;
  const tokens = since.map(({ info }) => tokensOf(info));
  const costs = since.map(({ info }) => info.cost ?? 0);
  return {
    last_assistant_message: textOf(last.parts),
    stop_hook_active: session.sentBack,
    waited_ms: waitedMs,
    usage: { tokens: sum(tokens), cost_usd: sum(costs) },
  };
}

/**
 * The user wrote while the agent worked: that comes first, and the turn has not ended.
 *
 * @param {readonly Message[]} messages
 * @param {Message} last
 * @param {Part} hold
 */
function isSpokenTo(messages, last, hold) {
  return messages.some(
    ({ info, parts }) =>
      info.role === 'user' &&
      info.id > last.info.id &&
      info.id !== hold.messageID &&
      parts.some(({ type, synthetic }) => type === 'text' && synthetic !== true),
  );
}

/**
 * The prompt replaces the message that kept the turn open; after a compaction, the one that OpenCode inserted.
 *
 * @param {World} world
 * @param {Part} hold
 * @param {readonly Message[]} messages
 * @param {string} text
 */
async function replace({ raw }, hold, messages, text) {
  const asking = messages.findLast(({ info }) => info.role === 'user')?.parts ?? [];
  const part =
    asking.find(({ id }) => id === hold.id) ?? asking.findLast(({ synthetic }) => synthetic === true) ?? hold;
  Object.assign(part, { text, synthetic: false });
  await raw.patch({ url: urlOf(part), body: part, headers: { 'content-type': 'application/json' } });
}

/**
 * @param {World} world
 * @param {Part} hold
 * @param {readonly Message[]} messages
 */
async function withdraw({ raw }, hold, messages) {
  const message = messages.find(({ info }) => info.id === hold.messageID);
  message?.parts.splice(0, message.parts.length);
  await raw.delete({ url: urlOf(hold) });
}

/**
 * No request to the model has begun yet, so OpenCode reports no error.
 *
 * @param {World} world
 * @param {string} id
 */
async function end({ client }, id) {
  await client.session.abort({ path: { id } });
}

/** @param {Part} part */
function urlOf({ sessionID, messageID, id }) {
  return `/session/${sessionID}/message/${messageID}/part/${id}`;
}

/** @param {import('./world.js').Info} info */
function tokensOf({ tokens }) {
  if (tokens === undefined) return 0;
  const { input, output, reasoning, cache } = tokens;
  return input + output + reasoning + cache.read + cache.write;
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
