import type { CheckResult, Evidence } from '../core/evidence.ts';
import type { Loop } from '../core/journal.ts';
import type { RoomBaseline, RoomFacts, RoomRun } from '../core/room.ts';
import { fitOf, roomAnswer } from '../core/room.ts';
import { excerptLines } from './check-excerpt.ts';
import { durationText } from './duration.ts';
import { changeLine, holdoutNames, lostWords, roomWarnings, shownName, signLine, testsWords } from './room-words.ts';
import { counted, doubtWords } from './sentences.ts';

const LISTED_MAX = 10;
const EXCERPT = { linesMax: 10, charsMax: 160 };

/** What was kept for the clean room at the start, and what the room showed at a finish. */
export function roomLines({ roomBaseline, room }: Evidence, earlier: Loop | null): readonly string[] {
  // A trial that outlasted the start ends with this entry.
  const before =
    earlier === null || roomBaseline === undefined
      ? earlier
      : { ...earlier, state: { ...earlier.state, room: roomBaseline } };
  const holdouts = before === null ? [] : holdoutNames(before.spec);
  return [
    ...(roomBaseline === undefined ? [] : baselineLines(roomBaseline, holdouts)),
    ...(room === undefined ? [] : factLines(room, before, holdouts)),
  ];
}

function baselineLines(baseline: RoomBaseline, holdouts: readonly string[]): readonly string[] {
  if (baseline.kind === 'none') return roomWarnings(baseline, holdouts);
  const { files, judgeFiles, fits } = baseline;
  return [
    `kept ${counted(files, 'file')} for the clean room; ${judgeFiles} of them ${judgeFiles === 1 ? 'judges' : 'judge'} the work`,
    ...fits
      .filter((fit) => fit.fit)
      .map(
        ({ name, tests }) =>
          `${shownName(name, holdouts)} works in the clean room${tests === undefined ? '' : ` (${testsWords(tests)})`}`,
      ),
    ...roomWarnings(baseline, holdouts).map((line) => (line.startsWith(' ') ? `  ${line}` : line)),
  ];
}

function factLines(room: RoomFacts, before: Loop | null, holdouts: readonly string[]): readonly string[] {
  switch (room.kind) {
    case 'running':
      return ['the clean room still runs'];
    case 'lost':
      return [lostWords(room.why, room.detail)];
    case 'judged':
      return [
        ...room.runs.flatMap((run) => runLines(run, before, holdouts)),
        ...listed('changed files that judge the work', room.changes.map(changeLine)),
        ...listed('signs of tampering', room.signs.map(signLine)),
        ...(isAllOwn(room, before)
          ? ["the project had no tests at the start: the agent's own tests are the only proof"]
          : []),
      ];
  }
}

/** If the baseline had no tests, all tests are the agent's own. */
function isAllOwn({ runs }: RoomFacts & { kind: 'judged' }, before: Loop | null): boolean {
  const counts = runs.map((run) => ({ before: fitOf(before?.state.room, run.name)?.tests?.ran ?? 0, run }));
  return counts.some(
    ({ before: ran, run }) => ran === 0 && run.withAdded?.result === 'passed' && (run.judged.tests?.ran ?? 0) === 0,
  );
}

function runLines(run: RoomRun, before: Loop | null, holdouts: readonly string[]): readonly string[] {
  const fit = fitOf(before?.state.room, run.name);
  const answer = roomAnswer(run, fit);
  const isPlain = answer.result === 'passed' || answer.doubt === 'fails' || answer.doubt === 'no-answer';
  const doubt = isPlain ? '' : `; ${doubtWords(answer.doubt)}`;
  const name = shownName(run.name, holdouts);
  return [
    `in the clean room ${name} ${resultWords(run.judged, fit?.tests)}${doubt}`,
    ...(holdouts.includes(run.name) ? [] : excerptLines(run.judged, EXCERPT)).map((line) => `    | ${line}`),
    ...(run.withAdded === undefined
      ? []
      : [`  and with the tests that the agent added it ${resultWords(run.withAdded, undefined)}`]),
    ...(run.asLeft === undefined
      ? []
      : [`  and with the judge's files as the agent left them it ${resultWords(run.asLeft, undefined)}`]),
  ];
}

const ANSWERS = { passed: 'passed', failed: 'failed', unknown: 'gave no result' } as const;

function resultWords({ result, tests, flaky, durationMs }: CheckResult, before: CheckResult['tests']): string {
  const notes = [
    ...(tests === undefined ? [] : [testsWords(tests, before)]),
    ...(flaky === true ? ['flaky: failed, then passed when run again'] : []),
    durationText(durationMs),
  ];
  return `${ANSWERS[result]} (${notes.join('; ')})`;
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > LISTED_MAX ? [`    and ${lines.length - LISTED_MAX} more`] : [];
  return [`${title}:`, ...lines.slice(0, LISTED_MAX).map((line) => `    ${line}`), ...rest];
}
