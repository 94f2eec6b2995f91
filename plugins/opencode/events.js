// @ts-check
import { stopOf } from './stops.js';
import { hasNoScreen, lastMessages } from './world.js';

/**
 * @typedef {import('./world.js').World} World
 * @typedef {import('./world.js').Message} Message
 */

/**
 * What OpenCode tells without waiting for us.
 *
 * @param {World} world
 * @param {{ type: string, properties: any }} event
 */
export async function happened(world, { type, properties }) {
  if (type === 'session.created') {
    const session = world.sessionOf(properties.info.id);
    session.isNew = true;
    session.isChild = properties.info.parentID !== undefined;
  }
  if (type === 'session.error' && properties.sessionID !== undefined)
    await failed(world, properties.sessionID, properties.error);
  if (type === 'session.idle') await idle(world, properties.sessionID);
}

/**
 * @param {World} world
 * @param {string} id
 * @param {import('./world.js').Failure | undefined} failure
 */
async function failed({ client, link, ask, wake, sessionOf }, id, failure) {
  const session = sessionOf(id);
  if (failure === undefined || session.isEnding || session.hasFailed || !link.isArmed(id)) return;
  session.hasFailed = true;
  session.held = null;
  if (failure.name === 'MessageAbortedError') {
    await ask(id, 'TurnAborted', {});
    return;
  }
  const error = [failure.name, failure.data?.message].filter((part) => part !== undefined).join(': ');
  const fields = { error, status: failure.data?.statusCode ?? 0 };
  // "opencode run" ends now, and nobody could be woken.
  if (hasNoScreen()) {
    await ask(id, 'StopFailure', fields);
    return;
  }
  const prompt = await wake(id, 'StopFailure', fields);
  if (prompt === null || !link.isArmed(id)) return;
  const { agent, model } = session;
  session.sentBack = true;
  session.expected = prompt;
  await client.session.promptAsync({ path: { id }, body: { agent, model, parts: [{ type: 'text', text: prompt }] } });
}

/**
 * The turn is over, and nothing kept it open: it ended without a text, or it was stopped. Told twice after some errors.
 *
 * @param {World} world
 * @param {string} id
 */
async function idle(world, id) {
  const { client, link, ask, sessionOf } = world;
  const session = sessionOf(id);
  if (session.isEnding) {
    const { isOvertaken, agent, model } = session;
    session.isEnding = false;
    session.isOvertaken = false;
    await tidy(world, id);
    // It was ended with ours: an empty prompt lets the agent read it.
    if (isOvertaken) await client.session.promptAsync({ path: { id }, body: { agent, model, parts: [] } });
    return;
  }
  if (session.hasFailed || !link.isArmed(id)) return;
  const messages = await lastMessages(client, id);
  const last = messages.findLast(({ info }) => info.role === 'assistant');
  if (last === undefined || last.info.summary === true || last.info.id === session.settled) return;
  session.settled = last.info.id;
  if (last.info.error !== undefined) {
    await failed(world, id, last.info.error);
    return;
  }
  const answer = await ask(id, 'Stop', stopOf(session, last, messages));
  if (answer.kind !== 'go-on') return;
  session.expected = answer.text;
  session.sentBack = true;
  const { agent, model } = session;
  const parts = [{ type: 'text', text: answer.text }];
  await client.session.promptAsync({ path: { id }, body: { agent, model, parts } });
}

/**
 * What we put in to end the turn is taken out: the message that kept it open, and the answer that was never asked for.
 *
 * @param {World} world
 * @param {string} id
 */
async function tidy({ client, raw, sessionOf }, id) {
  const { settled } = sessionOf(id);
  for (const { info, parts } of await lastMessages(client, id)) {
    const isUnasked = info.error?.name === 'MessageAbortedError' && parts.length === 0;
    const isHold = info.role === 'user' && parts.every(({ synthetic }) => synthetic === true);
    if (info.id > settled && (isUnasked || isHold)) await raw.delete({ url: `/session/${id}/message/${info.id}` });
  }
}
