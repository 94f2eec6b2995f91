// @ts-check
import { isCommand } from '../ask.js';
import { hasNoScreen, tell } from './world.js';

/**
 * @typedef {import('./world.js').World} World
 * @typedef {import('./world.js').Part} Part
 */

/**
 * The user's prompt. The text of a command and our own messages also arrive here.
 *
 * @param {World} world
 * @param {{ sessionID: string }} input
 * @param {{ message: import('./world.js').Info, parts: Part[] }} output
 */
export async function submitted(world, { sessionID }, { message, parts }) {
  const { link, ask } = world;
  const session = world.sessionOf(sessionID);
  const text = parts.find(({ type, synthetic }) => type === 'text' && synthetic !== true);
  if (text === undefined) return;
  const prompt = text.text ?? '';
  session.agent = message.agent;
  session.model = message.model;
  session.hasFailed = false;
  if (session.reported === '') session.reported = message.id;
  if (prompt === session.expected) return;
  session.isOvertaken = session.isEnding;
  session.sentBack = false;
  const given = asGiven(prompt);
  if (isCommand(given)) {
    if (await answerTyped(world, sessionID, given, text)) return;
  }
  const told = [await begun(world, sessionID)];
  if (link.isArmed(sessionID)) told.push(await contextOf(ask(sessionID, 'UserPromptSubmit', { prompt })));
  const beside = told.filter((each) => each !== '').join('\n\n');
  // Parts are read in the order of their ids.
  if (beside !== '') parts.push({ ...text, id: `${text.id}z`, text: beside, synthetic: true });
}

/**
 * `opencode run` puts an argument with a space between quotes, with a backslash before each quote inside; its standard input follows below.
 * Nothing else is changed, so it can be undone byte for byte.
 *
 * @param {string} prompt
 */
function asGiven(prompt) {
  const [, inner, below = ''] = /^"(\/(?:[^"]|(?<=\\)")*)"(\n[^]*)?$/u.exec(prompt) ?? [];
  return inner === undefined || !hasNoScreen() ? prompt : `${inner.replaceAll('\\"', '"')}${below}`;
}

/**
 * Byte for byte and without a shell: the expanded text of the command file is not used.
 *
 * @param {World} world
 * @param {{ command: string, sessionID: string, arguments: string }} input
 * @param {{ parts: object[] }} output
 */
export async function typed(world, { command, sessionID, arguments: args }, { parts }) {
  if (!isCommand(`/${command}`)) return;
  const session = world.sessionOf(sessionID);
  const isNext = session.isEnding;
  const text = { type: 'text', text: '', ignored: false };
  if (!(await answerTyped(world, sessionID, `/${command} ${args}`, text))) return;
  // It arrives again as a prompt.
  session.expected = text.text;
  session.isOvertaken = isNext && session.isEnding && !text.ignored;
  session.sentBack = false;
  parts.splice(0, parts.length, text);
}

/**
 * The agent begins with the answer; or the user reads it, and no model is called. `false`: it is the user's own command, and is left alone.
 *
 * @param {World} world
 * @param {string} id
 * @param {string} prompt
 * @param {{ text?: string, ignored?: boolean }} part
 */
async function answerTyped({ client, ask, sessionOf }, id, prompt, part) {
  const answer = await ask(id, 'UserPromptSubmit', { prompt });
  const session = sessionOf(id);
  if (answer.kind === 'silent' && answer.notice === null) return false;
  part.text = answer.text;
  session.isKnown = true;
  if (answer.kind === 'context') return true;
  part.ignored = true;
  session.isEnding = true;
  // A screen shows it as part of the conversation.
  if (hasNoScreen()) await tell(client, answer.text);
  return true;
}

/**
 * The first prompt of a session since the program was started: a loop may have been left open.
 *
 * @param {World} world
 * @param {string} id
 */
async function begun({ link, ask, sessionOf }, id) {
  const session = sessionOf(id);
  if (session.isKnown) return '';
  session.isKnown = true;
  if (session.isChild || !link.isAnyArmed()) return '';
  return contextOf(ask(id, 'SessionStart', { source: session.isNew ? 'startup' : 'resume' }));
}

/** @param {Promise<import('../ask.js').Answer>} asking */
async function contextOf(asking) {
  const { kind, text } = await asking;
  return kind === 'context' ? text : '';
}
