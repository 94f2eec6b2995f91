import path from 'node:path';
import type { DialectWays } from '../cli/services.ts';
import { currentPlatform } from '../system/paths.ts';

/** What only some documents have beside their state file. */
export async function waysOf(name: string, home: string): Promise<DialectWays> {
  switch (name) {
    case 'athena':
      return { prepare: (await import('../facades/athena/tracker-place.ts')).prepareFolder };
    case 'loop-mechanics':
      return mechanicsWays(home);
    case 'ralph-wiggum':
      return wiggumWays(home);
    case 'stravinsky':
      return { remind: reminded };
    default:
      return {};
  }
}

/** The task of a loop that a program started follows its file, whoever answers the stop. */
async function mechanicsWays(home: string): Promise<DialectWays> {
  const [{ announcement }, { checkpointOf }] = await Promise.all([
    import('../dialects/loop-mechanics/words.ts'),
    import('../facades/loop-mechanics/checkpoint.ts'),
  ]);
  return { announce: announcement, settle: (project) => checkpointOf(home, project) };
}

/** Loaded when a prompt comes: a stop needs none of it. */
const reminded: NonNullable<DialectWays['remind']> = async ({ project, session, todos, env }) => {
  const { promptHook } = await import('../facades/stravinsky/prompt-hook.ts');
  const tasks = path.join(env['CLAUDE_CONFIG_DIR'] ?? path.join(currentPlatform().home, '.claude'), 'tasks');
  return promptHook({ cwd: project, tasks, list: env['CLAUDE_CODE_TASK_LIST_ID'] ?? session, todos });
};

/** Its approval folders and its history are part of a stop: the same code as for `require('tireless/ralph-wiggum')`. */
async function wiggumWays(home: string): Promise<DialectWays> {
  const [{ createTurnHook }, { createProbes }, { readHeartbeat }] = await Promise.all([
    import('../facades/ralph-wiggum/stop-hook.ts'),
    import('../evidence/probe.ts'),
    import('../stores/heartbeat.ts'),
  ]);
  const { probeSync } = createProbes({ readHeartbeat: (loop) => readHeartbeat(home, loop) });
  return {
    stop: async ({ project, session, event, report, extras, delayMaxMs }) => {
      const answer = createTurnHook({ home, cwd: project, probe: probeSync, delayMaxMs, ...extras });
      const { allowExit, reason = '', injectPrompt = '', message = '' } = await answer({ session, event, report });
      const said = allowExit ? reason : message;
      return { goesOn: !allowExit, text: injectPrompt, reason: said, ...(said === '' ? {} : { notice: said }) };
    },
  };
}
