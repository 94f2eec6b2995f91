import path from 'node:path';
import type { Reminder, RemindRequest } from '../../engine/dialect-extras.ts';
import { currentPlatform } from '../../system/paths.ts';
import { promptHook } from './prompt-hook.ts';

/** Reminds the agent of the project's TODOs, or else of the task list that Claude Code keeps for the session. */
export function remindOfTodos({ project, session, todos, env }: RemindRequest): Reminder {
  const tasks = path.join(env['CLAUDE_CONFIG_DIR'] ?? path.join(currentPlatform().home, '.claude'), 'tasks');
  return promptHook({ cwd: project, tasks, list: env['CLAUDE_CODE_TASK_LIST_ID'] ?? session, todos });
}
