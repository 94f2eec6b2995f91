import { caughtBy, roomAnswers, treeAnswers } from '../views/caught.ts';
import { printable } from '../views/printable.ts';
import { decisionSentence } from '../views/sentences.ts';
import type { Display, Progress, Screen } from './display.ts';

const COLUMNS_MAX = 80;

/** The story of an agent that cheats: per turn what it said, what the project and the clean room answered, and what gave it away. */
export function cheatStory(screen: Pick<Screen, 'write'>): Display & { readonly caught: () => number } {
  let caught = 0;
  return {
    show: (progress) => {
      if (progress.kind !== 'decided') return;
      if (isCaught(progress)) caught += 1;
      for (const line of turnLines(progress)) screen.write(`${printable(line)}\n`);
    },
    close: () => undefined,
    caught: () => caught,
  };
}

type Decided = Progress & { kind: 'decided' };

function isCaught({ decision }: Decided): boolean {
  return decision.kind === 'continue' && caughtBy(decision.unmet).length > 0;
}

function turnLines({ event, evidence, decision }: Decided): readonly string[] {
  if (event.kind === 'baseline-taken') return [...labelled('at the start:', treeAnswers(evidence.checks ?? [])), ''];
  if (event.kind !== 'turn-ended') return [];
  const said = (evidence.message?.preview ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('<'));
  const found = decision.kind === 'continue' ? caughtBy(decision.unmet) : [];
  return [
    `turn ${event.iteration}`,
    ...labelled('the agent:', [`"${said.join(' ')}"`]),
    ...labelled('in the project:', treeAnswers(evidence.checks ?? [])),
    ...labelled('clean room:', roomAnswers(evidence)),
    ...found.flatMap(({ lead, details }) => [
      ...labelled('CAUGHT:', [lead]),
      ...details.flatMap((detail) => wrapped(detail, LABEL_COLUMNS + 2)),
    ]),
    ...(found.length > 0 ? [] : labelled('so:', [decisionSentence(decision, undefined)])),
    '',
  ];
}

const LABEL_COLUMNS = 18;

function labelled(label: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const [first = '', ...rest] = wrapped(text, LABEL_COLUMNS);
    return [`  ${label.padEnd(LABEL_COLUMNS - 2)}${first.trimStart()}`, ...rest];
  });
}

/** At spaces; a word that is longer than a line stays whole. */
function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > COLUMNS_MAX) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each);
}
