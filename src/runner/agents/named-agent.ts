import type { AgentActivity } from '../../engine/ports.ts';
import type { Fields } from './json-lines.ts';
import { fieldsOf, jsonLineReader } from './json-lines.ts';
import type { TurnReader } from './process-agent.ts';

/** An agent that is requested by name: how it is started, and how its output is read. */
export type NamedAgent = {
  /** The program and its arguments; `args`: the arguments that the user adds. The prompt comes on stdin. */
  readonly words: (args: readonly string[]) => readonly [string, ...string[]];
  readonly reader: (prompt: string) => TurnReader;
};

/** Kept while reading the stream of any agent. */
export type SeenInStream = { isStream: boolean; toolCalls: number; lastText: string };

export const NOTHING_SEEN: Readonly<SeenInStream> = { isStream: false, toolCalls: 0, lastText: '' };

/** Reads the JSON lines of an agent; `seen` records whether there are any. A line that is not an object is a sign of life. */
export function streamReader(
  seen: SeenInStream,
  { activities, end }: Pick<TurnReader, 'end'> & { readonly activities: (line: Fields) => readonly AgentActivity[] },
): Required<Pick<TurnReader, 'read' | 'end'>> {
  const lines = jsonLineReader();
  const readLine = (line: Fields | null): readonly AgentActivity[] => {
    if (line === null) return [{ kind: 'alive' }];
    seen.isStream = true;
    return activities(line);
  };
  return {
    read: (text) => lines.push(text).flatMap(readLine),
    end: (result, nowMs) => {
      lines.flush().forEach(readLine);
      return end(result, nowMs);
    },
  };
}

/** In UTF-16 units; as with a command, only the end is kept. */
export const MESSAGE_CHARS_MAX: number = 256 * 1024;
/** For one message or action of the agent, on the screen and in the activity log. */
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

/** An option that the user gives, under any of its names, replaces ours: programs refuse an option given twice. */
export function withDefault(
  [option, value]: readonly [string, string],
  args: readonly string[],
  otherNames: readonly string[],
): readonly string[] {
  const names = [option, ...otherNames];
  const isGiven = args.some((arg) => names.includes(arg) || names.some((name) => arg.startsWith(`${name}=`)));
  return isGiven ? args : [option, value, ...args];
}
