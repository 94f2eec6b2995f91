import { Fault } from '../core/fault.ts';
import type { Loop } from '../core/journal.ts';
import { oneLine } from './printable.ts';

const SHOWN_MAX = 10;
const GOAL_CHARS_MAX = 60;

type MissedChoice =
  | { readonly kind: 'none-fits' }
  | { readonly kind: 'not-found'; readonly given: string }
  | { readonly kind: 'ambiguous'; readonly given: string; readonly candidates: readonly Loop[] };

/** Which loops a command accepts. */
export type LoopKind = 'any' | 'checks' | 'open' | 'running' | 'resumable' | 'waiting';

const NONE_FITS: Readonly<Record<LoopKind, string>> = {
  any: 'There is no loop',
  checks: 'There is no loop',
  open: 'No loop is open',
  running: 'No loop is running',
  resumable: 'There is no loop to resume',
  waiting: 'No loop waits for your answer',
};

const LOOK_ELSEWHERE = '"tireless list" shows the loops of every project, and "tireless run" starts one.';
const TRY_A_CHECK = 'To try a check before there is one, name it: tireless checks --check "npm test"';

/** Why no loop was chosen, and how to name one. */
export function choiceFault(choice: MissedChoice, wanted: LoopKind): Fault {
  switch (choice.kind) {
    case 'none-fits':
      return new Fault(
        'LOOP_NOT_FOUND',
        `${NONE_FITS[wanted]} in this project. ${wanted === 'checks' ? TRY_A_CHECK : LOOK_ELSEWHERE}`,
      );
    case 'not-found':
      return new Fault(
        'LOOP_NOT_FOUND',
        `There is no loop "${oneLine(choice.given, GOAL_CHARS_MAX)}". "tireless list" shows every loop; another TIRELESS_HOME has other loops.`,
      );
    case 'ambiguous': {
      const { given, candidates } = choice;
      const why = `"${given}" matches ${candidates.length} loops. Name one:`;
      return new Fault('LOOP_AMBIGUOUS', [why, ...rowsOf(candidates)].join('\n'));
    }
  }
}

function rowsOf(loops: readonly Loop[]): readonly string[] {
  const newest = loops.toSorted((a, b) => (a.state.updatedAt < b.state.updatedAt ? 1 : -1)).slice(0, SHOWN_MAX);
  const rows = newest.map(
    ({ spec, state }) => `  ${state.loop}  ${state.status.padEnd(9)}  ${oneLine(spec.goal, GOAL_CHARS_MAX)}`,
  );
  return loops.length > newest.length ? [...rows, `  and ${loops.length - newest.length} more: "tireless list"`] : rows;
}
