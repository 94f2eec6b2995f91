import { durationText } from '../views/duration.ts';
import { oneLine, printable } from '../views/printable.ts';
import { whereWords } from '../views/room-words.ts';
import type { Display, Progress, Screen } from './display.ts';
import { foldLine } from './fold-line.ts';
import { plainLines } from './plain-lines.ts';

const LINE_CHARS_MAX = 2000;

/**
 * `--verbose`: the plain lines, and between them the agent's messages and tools, the start of each check, and the duration of each turn. A
 * reader that is behind misses some of the agent's output, and nothing else. Lines are broken between words at `columns`.
 */
export function verboseLines(
  screen: Pick<Screen, 'write' | 'isBehind'>,
  nowMs: () => number,
  columns: number = Infinity,
): Display {
  const plain = plainLines(screen, { columns });
  /** The agent's output since its last line end. */
  let rest = '';
  let beganMs: number | null = null;
  const row = (text: string): void => {
    for (const each of foldLine(text, columns)) screen.write(`${each}\n`);
  };
  const write = (text: string): void => row(`  | ${oneLine(text, LINE_CHARS_MAX)}`);
  const flush = (): void => {
    if (rest.trim() !== '') write(rest);
    rest = '';
  };
  const tell = (text: string): void => {
    const lines = `${rest}${printable(text)}`.split('\n');
    rest = (lines.pop() ?? '').slice(-LINE_CHARS_MAX);
    for (const line of lines) if (line.trim() !== '') write(line);
  };
  const show = (progress: Progress): void => {
    if (progress.kind === 'agent-active') {
      const { activity } = progress;
      if (activity.kind === 'output' && screen.isBehind?.() !== true) tell(activity.text);
      if (activity.kind === 'tool-used') {
        flush();
        row(`  > ${oneLine(`${activity.tool} ${activity.detail}`, LINE_CHARS_MAX)}`);
      }
      return;
    }
    flush();
    if (progress.kind === 'iteration-began') beganMs = nowMs();
    if (progress.kind === 'check-began') {
      if (beganMs !== null) row(`  the agent worked for ${durationText(nowMs() - beganMs)}`);
      beganMs = null;
      row(`  … ${oneLine(progress.name, LINE_CHARS_MAX)}${whereWords(progress.where)}`);
    }
    plain.show(progress);
  };
  return { show, close: flush };
}
