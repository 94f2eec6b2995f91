import type { Unmet } from '../core/decision.ts';
import type { CheckResult, Evidence, TestCounts } from '../core/evidence.ts';
import { doubtWords } from './sentences.ts';
import { changeLine, signLine, testsWords } from './room-words.ts';

export type CaughtCheat = { readonly lead: string; readonly details: readonly string[] };

/** What exposed a cheat: the check in the clean room, its number of tests, the judge's files, or lines of the product. */
export function caughtBy(unmet: readonly Unmet[]): readonly CaughtCheat[] {
  const checks = unmet.flatMap((what) => (what.kind === 'room' ? [what] : []));
  const files = unmet.flatMap((what) => (what.kind === 'judge-file' ? [changeLine(what)] : []));
  const signs = unmet.flatMap((what) => (what.kind === 'sign' ? [signLine(what)] : []));
  return [
    ...checks.map((what): CaughtCheat => ({ lead: doubtLine(what), details: [] })),
    ...(files.length === 0 ? [] : [{ lead: 'files that judge the work were changed:', details: files }]),
    ...(signs.length === 0 ? [] : [{ lead: 'these lines look like tampering:', details: signs }]),
  ];
}

function doubtLine({ doubt, now = 0, before = 0 }: Unmet & { kind: 'room' }): string {
  switch (doubt) {
    case 'fails':
      return 'the work fails the original tests';
    case 'no-count':
    case 'no-tests':
      return `no test finished; ${before} did at the start`;
    case 'fewer-tests':
      return `only ${now} of ${before} tests ran`;
    case 'failed-tests':
      return `it exits 0, but its summary reports ${now} failed ${now === 1 ? 'test' : 'tests'}`;
    case 'no-answer':
    case 'cannot-fail':
    case 'more-skipped':
      return doubtWords(doubt);
  }
}

/** `tests passed (6 tests ran)`: the results of the checks in the work tree, where the agent can reach them. */
export function treeAnswers(checks: readonly CheckResult[]): readonly string[] {
  return checks.map(
    ({ name, result, tests }) => `${name} ${result}${tests === undefined ? '' : ` (${countWords(tests)})`}`,
  );
}

function countWords(tests: TestCounts): string {
  return `${testsWords(tests)}${tests.failed > 0 ? `, ${tests.failed} failed` : ''}`;
}

/** The results in the clean room; empty if the room was not used. */
export function roomAnswers({ room }: Evidence): readonly string[] {
  return room?.kind === 'judged' ? treeAnswers(room.runs.map((run) => run.judged)) : [];
}
