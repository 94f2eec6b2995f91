/** The TODO reminder and the reading of lists, by what `tireless/stravinsky` exports. */
import { describe, expect, it } from 'vitest';
import { promptHook, readTodos, TODO_REMINDER_HEAD } from '../../src/facades/stravinsky/index.ts';
import { aProject } from '../support/a-project.ts';

const LIST = JSON.stringify([
  { content: 'add tests', status: 'pending' },
  { content: 'read the code', status: 'completed' },
]);

describe('tireless/stravinsky', () => {
  it('reminds of the open TODOs of a project, and of nothing when there is no list', () => {
    const cwd = aProject({ '.stravinsky/todos.json': LIST, 'TODO.md': '- [ ] of the checklist\n' });
    expect(promptHook({ cwd }).text).toContain(
      `${TODO_REMINDER_HEAD}\nOne TODO is not complete:\n- [pending] add tests`,
    );
    expect(promptHook({ cwd, todos: 'TODO.md' }).text).toContain('- [pending] of the checklist');
    expect(promptHook({ cwd: aProject() })).toEqual({ text: '' });
  });

  it('tells a list from what is none', () => {
    expect(readTodos(LIST)).toHaveLength(2);
    expect(readTodos('# Notes\n')).toBeNull();
  });
});
