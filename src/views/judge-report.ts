import type { TestCounts } from '../core/evidence.ts';
import type { JudgedBaseline, JudgeFiles, JudgeReport } from '../core/judge-report.ts';
import type { CheckSpec, Spec } from '../core/loop.ts';
import type { RoomLack } from '../core/room.ts';
import { fitOf } from '../core/room.ts';
import { oneLine } from './printable.ts';
import { holdoutNames, namesOf, roomWarnings, testsWords } from './room-words.ts';
import { counted } from './sentences.ts';

const COMMAND_CHARS_MAX = 120;
const ROLE_COLUMNS = 10;

/** The shape of `--json`: `fit` is `null` if the room was not tried. */
export type JudgeView = {
  readonly loop: string | null;
  readonly checks: readonly {
    readonly name: string;
    readonly command: string | null;
    readonly holdout: boolean;
    readonly fit: boolean | null;
    readonly tests: TestCounts | null;
    readonly tail: string;
  }[];
  readonly files: number;
  readonly judgeFiles: number;
  readonly roles: readonly JudgeFiles[];
  readonly mixed: JudgeReport['mixed'];
  readonly unmatched: readonly string[];
  readonly ignored: readonly string[];
  readonly noRoom: { readonly why: RoomLack; readonly detail: string } | null;
};

export function judgeView(loop: string | null, spec: Spec, { baseline, report }: JudgedBaseline): JudgeView {
  const kept = baseline?.kind === 'kept' ? baseline : null;
  return {
    loop,
    checks: numbered(spec.checks).map(({ check, name }) => {
      const fit = fitOf(baseline, check.name);
      const isOpen = !check.holdout;
      return {
        name,
        command: isOpen && check.probe.kind === 'command' ? check.probe.command : null,
        holdout: check.holdout,
        fit: fit?.fit ?? null,
        tests: isOpen ? (fit?.tests ?? null) : null,
        tail: isOpen ? (fit?.tail ?? '') : '',
      };
    }),
    files: kept?.files ?? 0,
    judgeFiles: kept?.judgeFiles ?? 0,
    roles: report?.roles ?? [],
    mixed: report?.mixed ?? [],
    unmatched: kept?.unmatched ?? [],
    ignored: kept?.ignored ?? [],
    noRoom: baseline?.kind === 'none' ? { why: baseline.why, detail: baseline.detail } : null,
  };
}

/** For people. */
export function judgeLines(loop: string | null, spec: Spec, judged: JudgedBaseline): readonly string[] {
  const { baseline, report } = judged;
  const warnings = baseline === undefined ? [] : roomWarnings(baseline, holdoutNames(spec));
  const kept = baseline?.kind === 'kept' ? baseline : null;
  return [
    loop === null ? 'checks of this project' : `checks of loop ${loop}`,
    ...numbered(spec.checks).map(({ check, name }) => `  ${name}: ${aboutCheck(check, judged)}`),
    ...(kept === null
      ? []
      : [`files that judge the work: ${kept.judgeFiles} of ${counted(kept.files, 'file')}`, ...roleLines(report)]),
    ...(baseline === undefined ? ['no clean room: the loop has none, or has not begun'] : []),
    ...warnings,
  ];
}

function aboutCheck(check: CheckSpec, { baseline }: JudgedBaseline): string {
  const { probe, holdout, name } = check;
  if (probe.kind !== 'command') return 'looks at files, and needs no clean room';
  const fit = fitOf(baseline, name);
  const shown = holdout ? 'not shown' : oneLine(probe.command, COMMAND_CHARS_MAX);
  if (fit === undefined) return `${shown} (no clean room)`;
  const tests = fit.tests === undefined || holdout ? '' : `; ${testsWords(fit.tests)} there`;
  return `${shown} (${fit.fit ? 'works in the clean room' : 'does not work in the clean room'}${tests})`;
}

function roleLines(report: JudgeReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { roles, mixed, mixedMore } = report;
  return [
    ...roles.map(
      ({ role, count, names }) =>
        `  ${role.padEnd(ROLE_COLUMNS)} ${count}: ${names.map((name) => oneLine(name, COMMAND_CHARS_MAX)).join(', ')}${count > names.length ? ', …' : ''}`,
    ),
    ...mixed.map(
      ({ path, parts }) =>
        `  ${'parts of'.padEnd(ROLE_COLUMNS)} ${oneLine(path, COMMAND_CHARS_MAX)}: ${namesOf(parts)}`,
    ),
    ...(mixedMore === 0 ? [] : [`  and parts of ${counted(mixedMore, 'more file')}`]),
  ];
}

/** The reader may be the agent: hold-outs are numbered, and nothing else about them is shown. */
function numbered(checks: readonly CheckSpec[]): readonly { readonly check: CheckSpec; readonly name: string }[] {
  let hidden = 0;
  return checks.map((check) => {
    if (check.holdout) hidden += 1;
    return { check, name: check.holdout ? `hold-out ${hidden}` : oneLine(check.name, COMMAND_CHARS_MAX) };
  });
}
