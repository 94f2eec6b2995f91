import { describe, expect, it } from 'vitest';
import type { Todo } from './todos.ts';
import { loopFromTodos, openTodos, parseTodos, readTodos, todoReminder } from './todos.ts';

const TODOS: readonly Todo[] = [
  { content: 'Add refresh endpoint', status: 'completed' },
  { content: 'Add\n tests', status: 'pending' },
  { content: 'Update token storage', status: 'in_progress' },
];

describe('todos', () => {
  it('are reminded of with their own head line while any is open', () => {
    expect(todoReminder(TODOS)).toBe(`[SYSTEM REMINDER - TODO CONTINUATION]
2 TODOs are not complete:
- [in_progress] Update token storage
- [pending] Add tests
Answer the prompt first where it asks for something else; then continue with these, and mark each complete when it is.`);
  });

  it('are not reminded of when all are complete or there are none', () => {
    expect(todoReminder([])).toBe('');
    expect(todoReminder([{ content: 'a', status: 'completed' }])).toBe('');
  });

  it('are reminded of within bounds', () => {
    const many = Array.from({ length: 1000 }, (_, at): Todo => ({
      content: `${at} ${'x'.repeat(999)}`,
      status: 'pending',
    }));
    const reminder = todoReminder(many);
    expect(reminder.length).toBeLessThan(8000);
    expect(reminder).toContain('- and 980 more');
  });

  it('are read from what the agent’s tool writes, without items that are not TODOs', () => {
    const list = [
      { content: 'a', status: 'in_progress', id: '1', activeForm: 'Doing a' },
      7,
      { content: 'b' },
      { status: 'pending' },
    ];
    const read = [
      { content: 'a', status: 'in_progress' },
      { content: 'b', status: 'pending' },
    ];
    expect(parseTodos(JSON.stringify(list))).toEqual(read);
    expect(parseTodos(JSON.stringify({ todos: list }))).toEqual(read);
    for (const odd of ['', '{', '{}', 'null', '"x"', '[[]]']) expect(parseTodos(odd)).toEqual([]);
  });

  it('are read from a Markdown checklist, without what is code or a quote', () => {
    const text =
      '\uFEFF# Plan\r\n\r\n- [ ] a b\r\n* [X] b\r\n1. [ ] c\r\n- no box\r\n\r\n> - [ ] quoted\r\n\r\n```\r\n- [ ] code\r\n```\r\n';
    expect(parseTodos(text)).toEqual([
      { content: 'a b', status: 'pending' },
      { content: 'b', status: 'completed' },
      { content: 'c', status: 'pending' },
    ]);
  });

  it('tell a list with nothing in it from a text that is no list', () => {
    for (const empty of ['[]', '{"todos":[]}']) expect(readTodos(empty)).toEqual([]);
    for (const other of ['', '{', '{}', 'null', '[7]', 'some prose', '{"todos":[{}]}'])
      expect(readTodos(other)).toBeNull();
  });

  it('become a goal and criteria of a loop, the ones in progress first, each once', () => {
    expect(loopFromTodos([...TODOS, { content: 'Add tests', status: 'pending' }])).toEqual({
      goal: 'Complete every open TODO:\n- Update token storage\n- Add tests',
      criteria: [
        { text: 'Update token storage', by: 'agent' },
        { text: 'Add tests', by: 'agent' },
      ],
    });
    expect(loopFromTodos([])).toEqual({ goal: '', criteria: [] });
    expect(openTodos(TODOS)).toHaveLength(2);
  });
});
