import type { FinishRule } from '../core/finish-rule.ts';
import { isTimed } from '../core/overdue.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { Loaded } from '../engine/ports.ts';
import { limitDurationText } from '../views/duration.ts';
import { GREEN_START, isGreen } from '../views/green-start.ts';
import { oneLine } from '../views/printable.ts';
import { holdoutNames, roomWarnings } from '../views/room-words.ts';
import { counted, dollars } from '../views/sentences.ts';
import { scoreLine } from './commands/score.ts';
import type { WrittenStateFile } from '../setup/create-state-file.ts';

const NAME_CHARS_MAX = 60;

/** What was armed, what ends it, and how long it may run. */
export function armedLines(loaded: Loaded): readonly string[] {
  const { loop, session } = loaded.state;
  return [
    `armed loop ${loop} for the session ${oneLine(session?.id ?? '', NAME_CHARS_MAX)} (${session?.host ?? ''})`,
    `  ends:     ${endOf(loaded)}`,
    `  limits:   ${limitsOf(loaded)}`,
    ...(isGreen(loaded.state.baseline ?? []) ? [`  note:     ${GREEN_START}`] : []),
    ...roomWarningLines(loaded),
    `  cancel:   tireless cancel ${loop}`,
  ];
}

/** What the clean room cannot judge, and which flag would help. The agent may be the one that starts the loop, so hold-outs are not named. */
function roomWarningLines({ spec, state }: Loaded): readonly string[] {
  if (state.room === undefined) return [];
  return roomWarnings(state.room, holdoutNames(spec)).map((line) =>
    line.startsWith(' ') ? `            ${line.trimStart()}` : `  room:     ${line}`,
  );
}

export function stateFileLines(written: WrittenStateFile): readonly string[] {
  const { dialect, file, session, kept, reading, score, maximum } = written;
  const { claim, claimedIn, criteria, checks = [], costMaxUsd = 'unlimited' } = reading;
  const budget = costMaxUsd === 'unlimited' ? null : costMaxUsd;
  const words = claim.texts.map((text) => `"${oneLine(text, NAME_CHARS_MAX)}"`).join(' or ');
  const ends = [
    ...(criteria.length === 0
      ? []
      : [`${criteria.length === 1 ? '1 criterion' : `${criteria.length} criteria`} true in the file`]),
    ...checks.map((check) => `${check.name} moved`),
    ...(words === '' ? [] : [`${words} ${claimedIn === undefined ? 'said by the agent' : 'written into the file'}`]),
  ];
  return [
    `wrote ${file} (${dialect})`,
    `  ends:     ${ends.join(DIALECTS[dialect].endsBy === 'all' ? ', and ' : ', or ')}`,
    `  limits:   ${[counted(maximum, 'iteration'), ...(budget === null ? [] : [dollars(budget)])].join(', ')}`,
    ...(budget === null
      ? []
      : [
          `  budget:   the prompt asks the agent to keep "cost" in ${file}; the loop pauses at a stop that finds none there`,
        ]),
    ...(score === null ? [] : [`  score:    ${scoreLine(score)}`]),
    ...(session === null ? [] : [`  session:  ${oneLine(session, NAME_CHARS_MAX)}`]),
    `  hook:     tireless hook claude-code --dialect ${dialect}${replyOption(dialect)}`,
    ...(kept === null ? [] : [`  kept:     the previous file, as ${kept}`]),
  ];
}

/** Claude Code does not accept the form `ok` from a command hook: every agent would be allowed to stop. */
function replyOption(dialect: WrittenStateFile['dialect']): string {
  return DIALECTS[dialect].replyForm === 'ok' ? ' --reply json' : '';
}

function endOf({ spec, state }: Loaded): string {
  const shown = spec.checks.filter((check) => !check.holdout).map((check) => oneLine(check.name, NAME_CHARS_MAX));
  const hidden = spec.checks.length - shown.length;
  const isClaimed = state.finish !== null && asksClaim(state.finish);
  return [
    ...(shown.length === 0
      ? []
      : [`${shown.length === 1 ? 'the check passes' : 'the checks pass'}: ${shown.join(', ')}`]),
    ...(hidden === 0 ? [] : [`${counted(hidden, 'hold-out check')} too`]),
    ...(spec.criteria.length === 0 ? [] : [`every criterion is ticked in ${spec.tracker ?? 'the tracker'}`]),
    ...(isClaimed
      ? [
          `the agent claims ${spec.claim.texts.map((text) => `<${spec.claim.tag}>${text}</${spec.claim.tag}>`).join(' or ')}`,
        ]
      : []),
    ...(spec.approveFinish ? ['you approve it'] : []),
  ].join('; ');
}

function asksClaim(rule: FinishRule): boolean {
  if (rule.kind === 'all' || rule.kind === 'any') return rule.of.some(asksClaim);
  return rule.kind === 'claim';
}

function limitsOf({ spec, state: { limits } }: Loaded): string {
  const { iterationsMax, durationMaxMs, costMaxUsd, tokensMax, faultsInRowMax, noProgressMax } = limits;
  const { iterationTimeoutMs } = spec.timing;
  return [
    typeof iterationsMax === 'number' ? counted(iterationsMax, 'iteration') : 'any number of iterations',
    ...(typeof durationMaxMs === 'number' ? [limitDurationText(durationMaxMs)] : []),
    ...(typeof costMaxUsd === 'number' ? [dollars(costMaxUsd)] : []),
    ...(typeof tokensMax === 'number' ? [`${tokensMax} tokens`] : []),
    ...(typeof faultsInRowMax === 'number' ? [`${counted(faultsInRowMax, 'fault')} in a row`] : []),
    ...(typeof noProgressMax === 'number' ? [`${counted(noProgressMax, 'iteration')} without progress`] : []),
    ...(isTimed(spec) ? [`${limitDurationText(iterationTimeoutMs)} an iteration`] : []),
  ].join(', ');
}
