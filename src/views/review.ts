import type { JudgeChange, Sign } from '../core/room.ts';
import { changeLine, signLine } from './room-words.ts';

const LISTED_MAX = 30;

type Review = {
  readonly loop: string;
  /** The hash of the work that the loop asks about. */
  readonly asked: string;
  /** `null` = it cannot be shown. */
  readonly diff: { readonly work: string; readonly text: string } | null;
  readonly changes: readonly JudgeChange[];
  readonly signs: readonly Sign[];
};

/** The text before and after the diff that a person is asked to judge. */
export function reviewTexts({ loop, asked, diff, changes, signs }: Review): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  const stands = changes.filter((change) => change.stands === true);
  return {
    before: [`loop ${loop} asks you to review these changes to files that judge the work (work ${asked.slice(0, 12)})`],
    after: [
      ...(diff === null ? ['The changes cannot be shown: the copy kept at the start is missing or damaged.'] : []),
      ...(diff?.text === '' ? ['No file that judges the work differs from the start.'] : []),
      ...listed('Could not be restored, and are not in the diff:', stands.map(changeLine)),
      ...listed('Lines that look like tampering:', signs.map(signLine)),
      ...(diff !== null && diff.work !== asked
        ? [
            'The files have changed since the loop paused: an approval would be refused. Resume the loop to have them judged again.',
          ]
        : []),
    ],
  };
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > LISTED_MAX ? [`  and ${lines.length - LISTED_MAX} more`] : [];
  return [title, ...lines.slice(0, LISTED_MAX).map((line) => `  ${line}`), ...rest];
}
