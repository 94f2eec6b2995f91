// @ts-check
import { stopOf } from './stops.js';
import { hasNoScreen, lastMessages } from './world.js';

/**
 * @typedef {import('./world.js').World} World
 * @typedef {import('./world.js').Message} Message
 */

/**
 * Events that OpenCode reports without waiting for us.
 *
 * @param {World} world
 * @param {{ type: string, properties: any }} event
 */
export async function happened(world, { type, properties }) {
  if (type === 'session.created') {
    const session = world.sessionOf(properties.info.id);
    session.isNew = true;
    session.isChild = properties.info.parentID !== undefined;
    session.parent = properties.info.parentID;
  }
  if (type === 'permission.asked') asking(world, properties.sessionID).set(properties.id, Date.now());
  if (type === 'permission.replied') replied(world, properties.sessionID, properties.requestID);
  if (type === 'session.error' && properties.sessionID !== undefined)
    await failed(world, properties.sessionID, properties.error);
  if (type === 'session.idle') await idle(world, properties.sessionID);
}

/**
 * The open dialogs of a session. A subagent's are those of the session that waits for it.
 *
 * @param {World} world
 * @param {string} id
 */
function asking({ sessionOf }, id) {
  const { parent } = sessionOf(id);
  return sessionOf(parent ?? id).asking;
}

/**
 * Dialogs that are open side by side are one wait.
 *
 * @param {World} world
 * @param {string} id
 * @param {string} request
 */
function replied(world, id, request) {
  const open = asking(world, id);
  const since = open.get(request);
  open.delete(request);
  if (since === undefined) return;
  const now = Date.now();
  world.sessionOf(world.sessionOf(id).parent ?? id).waitedMs += now - since;
  for (const other of open.keys()) open.set(other, now);
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
  const fields = { error, status: failure.data?.statusCode ?? 0, waited_ms: session.waitedMs };
  session.waitedMs = 0;
  // "opencode run" exits now, and nobody could be woken.
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
 * The turn has ended, and nothing kept it open: it ended without a text, or was stopped. Reported twice after some errors.
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
    // The user's turn was ended with ours: an empty prompt makes the agent read it.
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
 * Removes what we inserted to end the turn: the message that kept it open, and the unwanted answer.
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
