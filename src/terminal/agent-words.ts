import { oneLine } from '../views/printable.ts';
import type { Progress } from './display.ts';
import type { Line } from './narrate.ts';

const LINE_CHARS_MAX = 300;
/** Per iteration: enough for an agent to describe its work, and a bound on a program's output. */
const LINES_MAX = 40;
const REST_CHARS_MAX = 4000;

/** The agent's messages, line by line, as they stay on the screen. Returns the lines that a step adds. */
export function agentWords(): (progress: Progress) => readonly Line[] {
  let left = LINES_MAX;
  let rest = '';
  const shownLines = (lines: readonly string[]): readonly Line[] => {
    const full = lines.map((text) => oneLine(text, LINE_CHARS_MAX)).filter((text) => text !== '');
    const kept = full.slice(0, left);
    const isLast = full.length > left && left > 0;
    left -= kept.length;
    if (full.length > kept.length) left = 0;
    return [...kept, ...(isLast ? ['…'] : [])].map((text) => ({ tone: 'plain', text: `  › ${text}` }));
  };
  return (progress) => {
    if (progress.kind === 'agent-active') {
      const { activity } = progress;
      if (activity.kind !== 'output' || activity.stream !== 'message' || left === 0) return [];
      const lines = `${rest}${activity.text}`.split('\n');
      rest = (lines.pop() ?? '').slice(0, REST_CHARS_MAX);
      return shownLines(lines);
    }
    if (progress.kind === 'note' || progress.kind === 'waiting') return [];
    const ended = shownLines([rest]);
    rest = '';
    if (progress.kind === 'iteration-began') left = LINES_MAX;
    return ended;
  };
}
