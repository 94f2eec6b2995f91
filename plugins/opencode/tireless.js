// @ts-check
/**
 * The plugin for OpenCode. The only hook it waits for before a turn is over is called when a text is complete, and then nobody knows yet
 * whether a tool call follows. So a message without a word of ours is put in there, which keeps the turn open, and tireless is asked where
 * OpenCode waits for a plugin next: before the next request, when all of the last one is written down. Then either the prompt takes the
 * place of that message, or the turn is ended right there, before the model is asked again.
 */
import { connect } from '../ask.js';
import { happened } from './events.js';
import { asked, compacting, held } from './stops.js';
import { submitted, typed } from './prompts.js';
import { newSession, tell } from './world.js';

const ACTIVE = Symbol.for('tireless.opencode.active');

/**
 * @param {{ client: import('./world.js').Client, directory: string }} input
 * @param {import('../ask.js').Place} place
 */
async function server({ client, directory }, place) {
  if (isActiveIn(client)) return {};
  const link = connect('opencode', place);
  // For what has no method of its own.
  const { _client: raw } = client;
  const sessions = /** @type {Map<string, import('./world.js').Session>} */ (new Map());
  /** @type {import('./world.js').World} */
  const world = {
    client,
    raw,
    link,
    sessionOf: (id) => {
      const known = sessions.get(id) ?? newSession();
      sessions.set(id, known);
      return known;
    },
    ask: async (id, name, more) => {
      const answer = await link.ask({ hook_event_name: name, session_id: id, cwd: directory, ...more });
      if (answer.notice !== null) await tell(client, answer.notice);
      return answer;
    },
    wake: (id, name, more) =>
      link.wake({ hook_event_name: name, session_id: id, cwd: directory, ...more }, ({ notice }) => {
        if (notice !== null) void tell(client, notice);
      }),
  };
  /** @type {Record<string, (input: any, output: any) => Promise<void>>} */
  const hooks = {
    event: ({ event }) => happened(world, event),
    'chat.message': (input, output) => submitted(world, input, output),
    'command.execute.before': (input, output) => typed(world, input, output),
    'experimental.text.complete': (input) => held(world, input),
    'experimental.chat.messages.transform': (_input, output) => asked(world, output),
    'experimental.session.compacting': (input, output) => compacting(world, input, output),
    'tool.execute.before': async ({ sessionID, tool }, { args }) => {
      if (!link.isToolAsked(sessionID, args)) return;
      const answer = await world.ask(sessionID, 'PreToolUse', { tool_name: tool, tool_input: args });
      // OpenCode shows the agent why.
      if (answer.kind === 'refuse') throw new Error(answer.text);
    },
  };
  return hooks;
}

/**
 * Installed for the user and for the project, it is loaded twice, maybe from two places: the first one answers, and the other does nothing.
 * OpenCode makes one client for all plugins of a project, and another one when it loads them again.
 *
 * @param {object} client
 */
function isActiveIn(client) {
  /** @type {WeakSet<object>} */
  const active = Reflect.get(globalThis, ACTIVE) ?? new WeakSet();
  Reflect.set(globalThis, ACTIVE, active);
  if (active.has(client)) return true;
  active.add(client);
  return false;
}

export default { id: 'tireless', server };
