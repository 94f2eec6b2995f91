import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { AgentWorld } from './agent-world.ts';
import { writeText } from './launch/settings.ts';
import { recordings } from './recording.ts';

/** For hosts without shell hooks: a plugin that only records its input. */
export function recordOpencode(world: AgentWorld): void {
  const hooks = [
    'chat.message',
    'chat.params',
    'tool.execute.before',
    'tool.execute.after',
    'command.execute.before',
    'experimental.text.complete',
    'experimental.session.compacting',
  ];
  writeText(
    path.join(world.home, '.config/opencode/plugin/record.js'),
    `${keepFunction(world)}
export const Record = async (input) => ({
  event: async ({ event }) => keep('event-' + event.type, event),
${hooks.map((hook) => `  '${hook}': async (input, output) => keep('${hook}', { input, output }),`).join('\n')}
});
`,
  );
}

export function recordPi(world: AgentWorld): void {
  const events = [
    'session_start',
    'session_shutdown',
    'input',
    'before_agent_start',
    'agent_start',
    'agent_before_settle',
    'agent_end',
    'agent_settled',
    'turn_start',
    'turn_end',
    'tool_call',
    'tool_result',
    'session_before_compact',
    'session_compact',
  ];
  writeText(
    path.join(world.home, '.pi/agent/extensions/record.js'),
    `${keepFunction(world)}
export default function (pi) {
  let continued = false;
  for (const event of ${JSON.stringify(events)}) {
    pi.on(event, async (payload, ctx) => {
      keep(event, { payload, context: { cwd: ctx.cwd, hasUI: ctx.hasUI, sessionId: ctx.sessionManager?.getSessionId?.(), sessionFile: ctx.sessionManager?.getSessionFile?.() } });
      if (event !== 'agent_before_settle' || continued) return undefined;
      continued = true;
      const entry = { type: 'custom_message', customType: 'record', content: 'Go on: the tests do not pass yet.', display: true };
      return { entries: [...payload.entries, entry], continue: true };
    });
  }
}
`,
  );
}

/** Writes the same files as the shell recorder. */
function keepFunction(world: AgentWorld): string {
  const directory = path.join(recordings(world), 'payloads');
  mkdirSync(directory, { recursive: true });
  return `import { writeFileSync } from 'node:fs';
let count = 0;
function keep(event, payload) {
  count += 1;
  const name = String(Date.now()) + String(count).padStart(6, '0') + '-' + event.replaceAll('/', '.');
  writeFileSync(${JSON.stringify(directory)} + '/' + name, JSON.stringify(payload));
}
`;
}
