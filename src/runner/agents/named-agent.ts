import { fieldsOf } from './json-lines.ts';
import type { TurnReader } from './process-agent.ts';

/** An agent that is requested by name: how it is started, and how its output is read. */
export type NamedAgent = {
  /** The program and its arguments; `args`: what the user adds. The prompt comes on stdin. */
  readonly words: (args: readonly string[]) => readonly [string, ...string[]];
  readonly reader: (prompt: string) => TurnReader;
};

/** In UTF-16 units; as for a command, only the end is kept. */
export const MESSAGE_CHARS_MAX: number = 256 * 1024;
/** For one thing the agent said or did, on the screen and in the activity log. */
const ACTIVITY_CHARS_MAX = 4000;
const DETAIL_CHARS_MAX = 300;

export function clipped(text: string): string {
  return text.length > ACTIVITY_CHARS_MAX ? `${text.slice(0, ACTIVITY_CHARS_MAX)}…` : text;
}

/** What a tool was used on: the first text among its arguments, because every tool names them differently. */
export function toolDetail(input: unknown): string {
  const text = Object.values(fieldsOf(input) ?? {}).find((value) => typeof value === 'string');
  return (text ?? '').slice(0, DETAIL_CHARS_MAX);
}

/** An option that the user gives, under any of its names, replaces ours: programs refuse it twice. */
export function withDefault(
  [option, value]: readonly [string, string],
  args: readonly string[],
  otherNames: readonly string[],
): readonly string[] {
  const names = [option, ...otherNames];
  const isGiven = args.some((arg) => names.includes(arg) || names.some((name) => arg.startsWith(`${name}=`)));
  return isGiven ? args : [option, value, ...args];
}
