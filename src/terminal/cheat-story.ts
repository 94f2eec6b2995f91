import type { Decision } from '../core/decision.ts';
import { caughtBy, roomAnswers, treeAnswers } from '../views/caught.ts';
import { decisionSentence } from '../views/sentences.ts';
import type { Progress } from './display.ts';
import type { Line, Tone } from './narrate.ts';

/**
 * The story of an agent that cheats: for each turn its message, the results of the checks in the project and in the clean room, and what
 * exposed it.
 */
export function cheatStory(): {
  readonly narrate: (progress: Progress) => readonly Line[];
  readonly caught: () => number;
} {
  let caught = 0;
  return {
    narrate: (progress) => {
      if (progress.kind !== 'decided') return [];
      if (isCaught(progress)) caught += 1;
      return turnLines(progress);
    },
    caught: () => caught,
  };
}

type Decided = Progress & { kind: 'decided' };

function isCaught({ decision }: Decided): boolean {
  return decision.kind === 'continue' && caughtBy(decision.unmet).length > 0;
}

function turnLines({ event, evidence, decision }: Decided): readonly Line[] {
  if (event.kind === 'baseline-taken')
    return [...labelled('at the start:', treeAnswers(evidence.checks ?? []), 'plain'), EMPTY];
  if (event.kind !== 'turn-ended') return [];
  const messageLines = (evidence.message?.preview ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('<'));
  const found = decision.kind === 'continue' ? caughtBy(decision.unmet) : [];
  return [
    { tone: 'strong', text: `turn ${event.iteration}` },
    ...labelled('the agent:', [`"${messageLines.join(' ')}"`], 'plain'),
    ...labelled('in the project:', treeAnswers(evidence.checks ?? []), 'plain'),
    ...labelled('clean room:', roomAnswers(evidence), 'plain'),
    ...found.flatMap(({ lead, details }) => [
      ...labelled('CAUGHT:', [lead], 'alarm'),
      ...details.map((detail): Line => indented(detail)),
    ]),
    ...(found.length > 0 ? [] : labelled('so:', [soWords(decision)], 'good')),
    EMPTY,
  ];
}

/** The end of the loop is reported after the story. */
function soWords(decision: Decision): string {
  return decision.kind === 'complete' && decision.verified
    ? 'the work is proven'
    : decisionSentence(decision, undefined);
}

const LABEL_COLUMNS = 18;
const EMPTY: Line = { tone: 'plain', text: '' };

function labelled(label: string, texts: readonly string[], tone: Tone): readonly Line[] {
  return texts.map((text) => ({
    tone,
    text: `  ${label.padEnd(LABEL_COLUMNS - 2)}${text}`,
    hang: LABEL_COLUMNS,
  }));
}

function indented(text: string): Line {
  const hang = LABEL_COLUMNS + 2;
  return { tone: 'bad', text: ' '.repeat(hang) + text, hang };
}
