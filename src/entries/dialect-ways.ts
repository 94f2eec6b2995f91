import path from 'node:path';
import type { DialectWays } from '../cli/services.ts';
import { currentPlatform } from '../system/paths.ts';

/** What only some documents have beside their state file. */
export async function waysOf(name: string, home: string): Promise<DialectWays> {
  switch (name) {
    case 'loop-mechanics':
      return { announce: (await import('../dialects/loop-mechanics-words.ts')).announcement };
    case 'ralph-wiggum':
      return wiggumWays(home);
    case 'stravinsky':
      return { remind: reminded };
    default:
      return {};
  }
}

/** Loaded when a prompt comes: a stop needs none of it. */
const reminded: NonNullable<DialectWays['remind']> = async ({ project, session, todos, env }) => {
  const { promptHook } = await import('../facades/stravinsky/prompt-hook.ts');
  const tasks = path.join(env['CLAUDE_CONFIG_DIR'] ?? path.join(currentPlatform().home, '.claude'), 'tasks');
  return promptHook({ cwd: project, tasks, list: env['CLAUDE_CODE_TASK_LIST_ID'] ?? session, todos });
};

/** Its approval folders and its history are part of a stop: the same code as for `require('tireless/ralph-wiggum')`. */
async function wiggumWays(home: string): Promise<DialectWays> {
  const [{ createStopHook }, { createProbes }, { readHeartbeat }] = await Promise.all([
    import('../facades/ralph-wiggum/stop-hook.ts'),
    import('../evidence/probe.ts'),
    import('../stores/heartbeat.ts'),
  ]);
  const { probeSync } = createProbes({ readHeartbeat: (loop) => readHeartbeat(home, loop) });
  return {
    stop: async ({ project, session, message, failure, extras }) => {
      const { checks = [], limits = {} } = extras;
      const stopHook = createStopHook({ home, cwd: project, probe: probeSync, checks, limits });
      const said = await stopHook({
        output: message,
        session_id: session,
        ...(failure === null ? {} : { error: failure }),
      });
      const { allowExit, reason = '', injectPrompt = '', message: progress } = said;
      const notice = allowExit ? reason : (progress ?? '');
      return { goesOn: !allowExit, text: injectPrompt, reason, ...(notice === '' ? {} : { notice }) };
    },
  };
}
