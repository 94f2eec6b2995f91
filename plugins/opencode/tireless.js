// @ts-check
/**
 * The plugin for OpenCode. The only hook that OpenCode waits for before a turn ends is called when a text is complete, and it is not known
 * then whether a tool call follows. So we insert a message without any text of ours, which keeps the turn open, and call tireless where
 * OpenCode waits for a plugin next: before the next request, when the last one is completely recorded. Then either the prompt replaces that
 * message, or the turn is ended right there, before the model is called again.
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
  // For requests without a method.
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
      const { waitedMs } = world.sessionOf(sessionID);
      const fields = { tool_name: tool, tool_input: args, waited_ms: waitedMs };
      const answer = await world.ask(sessionID, 'PreToolUse', fields);
      // OpenCode shows the agent the reason.
      if (answer.kind === 'refuse') throw new Error(answer.text);
    },
  };
  return hooks;
}

/**
 * Installed for the user and for the project, it is loaded twice, possibly from two places: the first one replies, and the other does
 * nothing. OpenCode makes one client for all plugins of a project, and another one when it loads them again.
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
