import path from 'node:path';
import { TODOS_FILE } from '../../dialects/stravinsky/descriptor.ts';
import type { Todo } from '../../dialects/todos.ts';
import { readTodos, todoReminder } from '../../dialects/todos.ts';
import { readTextIfExists } from '../../system/files.ts';
import { claudeCodeTasks } from '../loop-mechanics/tasks.ts';

/** A session id is foreign text: it never leads out of the folder of the lists. */
const LIST_NAME = /^[\w-]+$/u;

export type PromptHookInput = {
  /** The project, absolute. */
  readonly cwd: string;
  /** Claude Code's folder of task lists, and the list of this session: used if the project has no file. Absent = not used. */
  readonly tasks?: string;
  readonly list?: string;
  /** A list other than `.stravinsky/todos.json`, relative to the project. */
  readonly todos?: string | undefined;
};

/** `text` is for the agent; empty = nothing is open. `notice` is for the user. */
export type PromptReminder = { readonly text: string; readonly notice?: string };

/** The reminder of open TODOs, before a prompt is read. Reads only the list: it neither reads nor changes a loop. */
export function promptHook({ cwd, tasks = '', list = '', todos }: PromptHookInput): PromptReminder {
  const file = todos ?? TODOS_FILE;
  const text = readTextIfExists(path.resolve(cwd, file));
  // A list that does not exist yet has nothing open.
  if (text === undefined) return { text: todos === undefined ? todoReminder(tasksOf(tasks, list)) : '' };
  const read = text.trim() === '' ? [] : readTodos(text);
  if (read !== null) return { text: todoReminder(read) };
  return {
    text: '',
    notice: `tireless: ${file} is neither a JSON list nor a Markdown checklist, so the agent is not reminded of its TODOs. Correct it or delete it.`,
  };
}

function tasksOf(folder: string, list: string): readonly Todo[] {
  if (!path.isAbsolute(folder) || !LIST_NAME.test(list)) return [];
  return claudeCodeTasks(path.join(folder, list))
    .TaskList()
    .map(({ subject, status }) => ({ content: subject, status }));
}
