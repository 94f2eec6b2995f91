import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { readTextIfExists } from '../system/files.ts';

type TodoGoal = { readonly goal: string; readonly criteria: readonly string[] };

/** The goal and criteria from the open TODOs of a file; empty if no file is named. Throws `USAGE`. */
export async function readTodoList(file: string | undefined, cwd: string): Promise<TodoGoal> {
  if (file === undefined) return { goal: '', criteria: [] };
  const text = readTextIfExists(path.resolve(cwd, file));
  if (text === undefined) throw refused(file, 'there is no such file. Correct the path of --from-todos');
  const { loopFromTodos, readTodos } = await import('../dialects/todos.ts');
  const todos = readTodos(text);
  if (todos === null)
    throw refused(
      file,
      'it is neither a JSON list with "content" and "status", nor a Markdown checklist with lines such as "- [ ] add tests". Correct it',
    );
  const { goal, criteria } = loopFromTodos(todos);
  if (criteria.length === 0)
    throw refused(file, 'no TODO in it is open, so there is nothing to do. Add one, or give a goal instead');
  return { goal, criteria: criteria.map((criterion) => criterion.text) };
}

function refused(file: string, why: string): Fault {
  return new Fault('USAGE', `Cannot start from the TODOs of ${file}: ${why}.`);
}
