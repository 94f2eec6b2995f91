import type { TestCounts } from '../core/evidence.ts';
import type { Entry, Loop } from '../core/journal.ts';
import type { JudgeChange, RoomFacts, Sign } from '../core/room.ts';
import type { Level, Status } from '../core/loop.ts';
import type { Verification, VerifiedCheck } from '../core/verification.ts';
import { verificationOf } from '../core/verification.ts';
import { durationText } from './duration.ts';
import { oneLine } from './printable.ts';
import { changeLine, LEVEL_WORDS, signLine, testsWords } from './room-words.ts';
import { CHECK_MARKS, outcomeSentence } from './sentences.ts';
import { withoutSecrets } from './verification.ts';

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md */
export const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/** `gitCommit`: the judged work is this commit, file by file. `sha256`: a hash over the list of judged files. */
export type Subject = { readonly gitCommit: string } | { readonly sha256: string };

type TestResult = 'PASSED' | 'WARNED' | 'FAILED';

export type Statement = {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly { readonly name: string; readonly digest: Subject }[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: {
    readonly result: TestResult;
    readonly configuration: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
    /** An extension field: consumers that do not know it ignore it. */
    readonly tireless: Extension;
  };
};

type Extension = {
  readonly loop: string;
  readonly status: Status;
  readonly level: Level | null;
  readonly work: string;
  readonly judgedAt: string;
  readonly checks: readonly {
    readonly name: string;
    readonly result: VerifiedCheck['result'];
    readonly tests: TestCounts | null;
    readonly before: TestCounts | null;
  }[];
  readonly changes: readonly JudgeChange[];
  readonly signs: readonly Sign[];
  readonly journal: { readonly entries: number; readonly head: string };
};

/** What the journal of a loop records about its last judgement in the clean room. */
export type RoomReport = {
  readonly loop: Loop;
  readonly found: Verification;
  readonly judgedAt: string;
  readonly judgeHash: string;
  readonly journal: Extension['journal'];
};

/** `null` = the clean room has not judged this loop. */
export function reportOf(loop: Loop, entries: readonly Entry[], head: string): RoomReport | null {
  const entry = entries.findLast(({ evidence }) => evidence.room?.kind === 'judged');
  const room: RoomFacts | undefined = entry?.evidence.room;
  if (entry === undefined || room === undefined || loop.state.room?.kind !== 'kept') return null;
  const looks = (entry.evidence.checks ?? []).filter((result) =>
    loop.spec.checks.some((check) => check.name === result.name && check.probe.kind !== 'command'),
  );
  return {
    loop,
    found: verificationOf(loop, room, looks),
    judgedAt: entry.at,
    judgeHash: loop.state.room.judgeHash,
    journal: { entries: entries.length, head },
  };
}

export function statementOf({ loop, found, judgedAt, judgeHash, journal }: RoomReport, subject: Subject): Statement {
  const { state } = loop;
  const checks = withoutSecrets(found.checks);
  const named = (wanted: (check: VerifiedCheck) => boolean): readonly string[] =>
    checks.filter(wanted).map(({ name }) => name);
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: 'gitCommit' in subject ? 'commit' : 'list of files', digest: subject }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: resultOf(loop),
      configuration: [{ name: "the judge's files at the start of the loop", digest: { sha256: judgeHash } }],
      passedTests: named((check) => check.result === 'passed' && check.flaky !== true),
      warnedTests: named((check) => check.result === 'passed' && check.flaky === true),
      failedTests: named((check) => check.result !== 'passed'),
      tireless: {
        loop: state.loop,
        status: state.status,
        level: (state.outcome?.kind === 'completed' ? state.outcome.level : undefined) ?? null,
        work: found.work ?? '',
        judgedAt,
        checks: checks.map(({ name, result, tests, before }) => ({
          name,
          result,
          tests: tests ?? null,
          before: before ?? null,
        })),
        changes: found.changes,
        signs: found.signs,
        journal,
      },
    },
  };
}

/** `PASSED` only if the clean room verified it. `WARNED`: verified otherwise, or by checks that also passed before the work. */
function resultOf({ state: { outcome } }: Loop): TestResult {
  if (outcome?.kind !== 'completed') return 'FAILED';
  if (!outcome.verified) return outcome.greenBefore === undefined ? 'FAILED' : 'WARNED';
  return outcome.level === 'room' ? 'PASSED' : 'WARNED';
}

/** For people. */
export function reportLines({ loop, found, judgedAt, judgeHash, journal }: RoomReport): readonly string[] {
  const { spec, state } = loop;
  const level = state.outcome?.kind === 'completed' ? state.outcome.level : undefined;
  return [
    `loop ${state.loop}: ${outcomeSentence({ spec, state })}`,
    `  goal:      ${oneLine(spec.goal, 100)}`,
    ...(level === undefined ? [] : [`  verified:  ${LEVEL_WORDS[level]}`]),
    `  judged:    ${judgedAt}, work ${found.work ?? ''}`,
    `  judge:     ${judgeHash}`,
    `  journal:   ${journal.entries} entries, head ${journal.head}`,
    ...withoutSecrets(found.checks).map(
      ({ name, result, tests, before, durationMs }) =>
        `  ${CHECK_MARKS[result]} ${oneLine(name, 100)} (${tests === undefined ? '' : `${testsWords(tests, before)}; `}${durationText(durationMs)})`,
    ),
    ...found.changes.map((change) => `  changed:   ${changeLine(change)}`),
    ...found.signs.map((sign) => `  sign:      ${signLine(sign)}`),
  ];
}
