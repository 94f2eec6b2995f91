import type { ActivityLine } from '../core/activity-line.ts';
import type { Spec } from '../core/loop.ts';
import { shownIteration } from './iteration-count.ts';
import { oneLine, printable } from './printable.ts';
import { whereWords } from './room-words.ts';
import { CHECK_MARKS } from './sentences.ts';

const NAME_CHARS_MAX = 120;
const TOOL_CHARS_MAX = 300;

export const DROPPED_NOTE = '[earlier output was dropped: only the newest 8 to 16 MB of a loop are kept]';

export type LogFilter = {
  /** Numbered as people count: 0 = before the first iteration. */
  readonly iteration: number | undefined;
  readonly of: 'agent' | 'checks' | 'both';
};

/**
 * The log as text, line by line. It arrives in pieces that may end inside a line, so the last piece is held back until the rest arrives,
 * something else follows, or the log ends (`end`).
 */
export type LogFormatter = {
  readonly format: (line: ActivityLine) => readonly string[];
  readonly end: () => readonly string[];
};

export function logFormatter(filter: LogFilter, dialect: Spec['dialect']): LogFormatter {
  let iteration: number | null = null;
  let stream: ActivityLine['kind'] | null = null;
  let held = '';
  const release = (): readonly string[] => {
    const rest = held;
    held = '';
    return rest === '' || stream === null ? [] : [`${LEADS[stream]}${printable(rest).trimEnd()}`];
  };
  /** Whole lines of a stream. Of a line that was redrawn repeatedly, only the final form is shown. */
  const flow = (kind: ActivityLine['kind'], text: string): readonly string[] => {
    const before = kind === stream ? [] : release();
    stream = kind;
    const lines = `${held}${text}`.split('\n');
    held = lines.pop() ?? '';
    return [...before, ...lines.map((each) => `${LEADS[kind]}${lastState(each)}`.trimEnd())];
  };
  const format = (line: ActivityLine): readonly string[] => {
    if (line.kind === 'dropped' || !isAsked(line, filter, dialect)) return [];
    const isNew = line.iteration !== iteration;
    const before = isNew ? release() : [];
    iteration = line.iteration;
    const head = isNew ? [...before, headOf(line.iteration, dialect)] : before;
    switch (line.kind) {
      case 'message':
      case 'diagnostics':
        return [...head, ...flow(line.kind, line.text)];
      case 'tool':
        return [...head, ...release(), `  > ${oneLine(line.text, TOOL_CHARS_MAX)}`];
      case 'note':
        return [...head, ...release(), `  [${oneLine(line.text, TOOL_CHARS_MAX)}]`];
      case 'check':
        return [...head, ...release(), ...checkLines(line)];
    }
  };
  return { format, end: release };
}

const LEADS: Readonly<Record<ActivityLine['kind'], string>> = {
  message: '  ',
  diagnostics: '  ! ',
  tool: '',
  note: '',
  check: '',
  dropped: '',
};

function isAsked(line: ActivityLine, { iteration, of }: LogFilter, dialect: Spec['dialect']): boolean {
  if (of !== 'both' && (line.kind === 'check') !== (of === 'checks')) return false;
  return iteration === undefined || iteration === numberOf(line.iteration, dialect);
}

function numberOf(iteration: number, dialect: Spec['dialect']): number {
  return iteration === 0 ? 0 : shownIteration(iteration, dialect);
}

function headOf(iteration: number, dialect: Spec['dialect']): string {
  return iteration === 0 ? 'before the first iteration' : `iteration ${numberOf(iteration, dialect)}`;
}

function checkLines({ check = 'a check', result = 'unknown', where, text }: ActivityLine): readonly string[] {
  const lines = printable(text).trimEnd().split('\n');
  return [
    `  ${CHECK_MARKS[result]} ${oneLine(check, NAME_CHARS_MAX)}${whereWords(where)}`,
    ...(text.trim() === '' ? ['    | (no output)'] : lines.map((each) => `    | ${each}`.trimEnd())),
  ];
}

function lastState(line: string): string {
  const text = line.replace(/\r+$/, '');
  return printable(text.slice(text.lastIndexOf('\r') + 1));
}
