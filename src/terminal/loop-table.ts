import type { CancelCause, PauseCause, Spec, State } from '../core/loop.ts';
import { iterationCountOf } from '../views/iteration-count.ts';
import { oneLine } from '../views/printable.ts';
import type { Standstill } from '../views/standstill.ts';
import { STALLED } from '../views/standstill.ts';
import { briefUsage } from '../views/usage-words.ts';
import { fitWidth, widthOf } from './fit-width.ts';

export type TableRow = {
  readonly spec: Spec;
  readonly state: State;
  readonly project: string;
  readonly still?: Standstill | null;
};

/** The first cell is the title. */
type Column = { readonly cells: readonly string[] };

const GAP = '  ';
const PROJECT_COLUMNS_MAX = 16;
const PROJECT_COLUMNS_MIN = 7;
/** The minimum width of the goal: other columns become narrower for it, or are left out. */
const GOAL_COLUMNS_MIN = 20;
const GOAL_COLUMNS_MAX = 70;
/** With less than this, goals can no longer be told apart: a narrow terminal leaves out other columns instead. */
const GOAL_COLUMNS_NARROW = 12;
/** If the goal would get less than this, progress and usage appear only in `status` and `--json`. */
const GOAL_COLUMNS_ROOMY = 24;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One line per loop, within `columns`: the goal is cut if necessary, the id never. */
export function loopTable(
  rows: readonly TableRow[],
  { columns, nowMs }: { readonly columns: number; readonly nowMs: number },
): readonly string[] {
  const loop = column('LOOP', rows, ({ state }) => state.loop);
  const status = column('STATUS', rows, ({ state, still }) => (still ? STALLED : state.status));
  const result = column('RESULT', rows, resultWord);
  const age = column('AGE', rows, ({ state }) => ageText(nowMs - Date.parse(state.updatedAt)));
  const most = columns - spaceOf(projectColumn(rows, PROJECT_COLUMNS_MIN)) - GOAL_COLUMNS_NARROW;
  const choices = [
    [loop, status, result, age],
    [loop, status, result],
  ];
  const fixed = choices.find((each) => sum(each.map(spaceOf)) <= most) ?? [loop, status];
  const left = columns - sum(fixed.map(spaceOf));
  const project = projectColumn(rows, left - GOAL_COLUMNS_MIN - GAP.length);
  const more = roomFor(
    [
      column('ITERATION', rows, (row) => String(iterationCountOf(row).iteration)),
      column('USED', rows, ({ state }) => briefUsage(state.usage)),
    ],
    left - spaceOf(project) - GOAL_COLUMNS_ROOMY,
  );
  const shown = [...fixed, ...more, project];
  const goalColumns = Math.min(GOAL_COLUMNS_MAX, Math.max(1, columns - sum(shown.map(spaceOf))));
  const goals = ['GOAL', ...rows.map(({ spec }) => fitWidth(oneLine(spec.goal, GOAL_COLUMNS_MAX), goalColumns))];
  return goals.map((goal, at) => `${shown.map((each) => cellOf(each, at)).join('')}${goal}`.trimEnd());
}

/** One number and one unit: a list is for scanning, not for calculating. */
export function ageText(ms: number): string {
  if (!(ms >= MINUTE)) return `${Math.max(0, Math.floor((Number.isNaN(ms) ? 0 : ms) / 1000))}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  return ms < DAY ? `${Math.floor(ms / HOUR)}h` : `${Math.floor(ms / DAY)}d`;
}

function resultWord({ state, still }: TableRow): string {
  const { outcome, pause } = state;
  if (outcome === null) return pause === null ? (still?.cause ?? '') : PAUSE_WORDS[pause.cause];
  if (outcome.kind === 'completed') return outcome.verified ? 'verified' : 'unverified';
  return outcome.kind === 'halted' ? outcome.guard : cancelWord(outcome.because);
}

const PAUSE_WORDS: Readonly<Record<PauseCause, string>> = {
  user: 'by you',
  trouble: 'trouble',
  aborted: 'turn stopped',
  blocked: 'blocked',
  failed: 'turn failed',
  approval: 'your approval',
  review: 'your review',
  'usage-limit': 'usage limit',
  'usage-unknown': 'usage unknown',
  'handed-over': 'your message',
};

const CANCEL_WORDS: Readonly<Record<CancelCause, string>> = {
  'file-removed': 'file removed',
  'file-switched-off': 'switched off',
  'start-failed': 'not started',
  'session-ended': 'session ended',
};

function cancelWord(because: CancelCause | undefined): string {
  return because === undefined ? '' : CANCEL_WORDS[because];
}

function projectColumn(rows: readonly TableRow[], columns: number): Column {
  const room = Math.max(PROJECT_COLUMNS_MIN, Math.min(PROJECT_COLUMNS_MAX, columns));
  return column('PROJECT', rows, ({ project }) => fitWidth(oneLine(project, PROJECT_COLUMNS_MAX * 2), room));
}

/** The columns that are not empty and fit, in their order. */
function roomFor(columns: readonly Column[], space: number): readonly Column[] {
  let left = space;
  return columns.filter((each) => {
    if (each.cells.slice(1).every((cell) => cell === '') || spaceOf(each) > left) return false;
    left -= spaceOf(each);
    return true;
  });
}

function column(title: string, rows: readonly TableRow[], cell: (row: TableRow) => string): Column {
  return { cells: [title, ...rows.map(cell)] };
}

function cellOf({ cells }: Column, at: number): string {
  const text = cells[at] ?? '';
  return `${text}${' '.repeat(widest(cells) - widthOf(text))}${GAP}`;
}

function spaceOf({ cells }: Column): number {
  return widest(cells) + GAP.length;
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
