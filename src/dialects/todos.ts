import { withoutByteOrderMark } from '../core/parse-json.ts';
import * as z from 'zod/mini';
import type { Criterion } from '../core/loop.ts';
import { proseLines } from '../core/prose-lines.ts';
import { readJson } from './json-file.ts';

/** An item of the list that coding agents keep for themselves. */
export type Todo = { readonly content: string; readonly status: 'pending' | 'in_progress' | 'completed' };

export const TODO_REMINDER_HEAD = '[SYSTEM REMINDER - TODO CONTINUATION]';

/** A reminder is part of every prompt, so only the first lines of a long list are shown. */
const REMINDED_MAX = 20;
const LINE_LENGTH_MAX = 300;

const TodoSchema = z.object({
  content: z.string(),
  status: z._default(z.enum(['pending', 'in_progress', 'completed']), 'pending'),
});
const List = z.array(z.unknown());
const Wrapped = z.object({ todos: List });

/** A list item with a checkbox, like the criteria in a tracker. */
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(\S.*)$/u;

/** Like `readTodos`, but a text that is not a list has no todos. */
export function parseTodos(text: string): readonly Todo[] {
  return readTodos(text) ?? [];
}

/**
 * Reads the JSON that an agent's todo tool writes (a list, or an object with `todos`), or a Markdown checklist. Items that are not todos are
 * left out; `null` = the text is neither, or nothing in its list is a todo. Never throws.
 */
export function readTodos(text: string): readonly Todo[] | null {
  const value = readJson(text);
  if (value === undefined) return checklistIn(text);
  const wrapped = Wrapped.safeParse(value);
  const list = wrapped.success ? wrapped.data.todos : List.safeParse(value).data;
  if (list === undefined) return null;
  const todos = list.flatMap((each) => {
    const todo = TodoSchema.safeParse(each);
    return todo.success && todo.data.content.trim() !== '' ? [todo.data] : [];
  });
  return todos.length === 0 && list.length > 0 ? null : todos;
}

function checklistIn(text: string): readonly Todo[] | null {
  const todos = proseLines(withoutByteOrderMark(text)).flatMap((line): readonly Todo[] => {
    const [, tick, content] = BOX.exec(line ?? '') ?? [];
    return content === undefined ? [] : [{ content, status: tick === ' ' ? 'pending' : 'completed' }];
  });
  return todos.length === 0 ? null : todos;
}

/** Those in progress first, otherwise in their original order. */
export function openTodos(todos: readonly Todo[]): readonly Todo[] {
  const open = todos.filter((todo) => todo.status !== 'completed');
  return [...open.filter((todo) => todo.status === 'in_progress'), ...open.filter((todo) => todo.status === 'pending')];
}

/** What the agent reads before a prompt; empty = nothing is open. */
export function todoReminder(todos: readonly Todo[]): string {
  const open = openTodos(todos);
  if (open.length === 0) return '';
  const lines = open.slice(0, REMINDED_MAX).map((todo) => `- [${todo.status}] ${oneLine(todo.content)}`);
  const more = open.length > REMINDED_MAX ? [`- and ${open.length - REMINDED_MAX} more`] : [];
  return [
    TODO_REMINDER_HEAD,
    open.length === 1 ? 'One TODO is not complete:' : `${open.length} TODOs are not complete:`,
    ...lines,
    ...more,
    'Answer the prompt first where it asks for something else; then continue with these, and mark each complete when it is.',
  ].join('\n');
}

/** The goal and criteria of a loop for the open todos, whoever drives it. Duplicates count once: a criterion is identified by its text. */
export function loopFromTodos(todos: readonly Todo[]): {
  readonly goal: string;
  readonly criteria: readonly Criterion[];
} {
  const texts = [...new Set(openTodos(todos).map((todo) => oneLine(todo.content)))];
  const goal = ['Complete every open TODO:', ...texts.map((text) => `- ${text}`)].join('\n');
  return { goal: texts.length === 0 ? '' : goal, criteria: texts.map((text) => ({ text, by: 'agent' })) };
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX - 1)}…` : line;
}
