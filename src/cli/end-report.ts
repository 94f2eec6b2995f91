import type { Loaded } from '../engine/ports.ts';
import { foldLine } from '../terminal/fold-line.ts';
import { actionLines, LABEL_COLUMNS, pauseActions } from '../views/actions.ts';
import { durationText } from '../views/duration.ts';
import { iterationCountOf } from '../views/iteration-count.ts';
import { lastWords } from '../views/last-words.ts';
import { reviewAdvice } from '../views/room-words.ts';
import { counted, outcomeSentence, raiseAdvice } from '../views/sentences.ts';
import { usageWords } from '../views/usage-words.ts';

const WORDS_CHARS_MAX = 190;
/** Without the indentation. */
const COLUMNS = 78;

/** The last lines of `run` and `resume`: how the loop ended, what it used, and what to type next. */
export function endReport({ spec, state }: Loaded, options: { readonly interrupted: boolean }): readonly string[] {
  const { loop, outcome, pause } = state;
  const explain = `why:      tireless explain ${loop}`;
  const took = [
    counted(state.counted, 'iteration'),
    durationText(state.runningMs),
    ...usageWords(state.usage),
    ...(state.faults > 0 ? [counted(state.faults, 'fault')] : []),
    `loop ${loop}`,
  ].join(', ');
  if (outcome === null) {
    if (options.interrupted || pause?.cause === 'user')
      return [
        `paused at iteration ${iterationCountOf({ spec, state }).iteration}; resume with: tireless resume ${loop}`,
      ];
    const actions = pause === null ? [`continue: tireless resume ${loop}`] : actionLines(pauseActions(loop, pause));
    const rest = [...lastWordsLines(state), ...actions, ...folded('flags:', reviewAdvice(state)), explain];
    return [outcomeSentence({ spec, state }), took, ...rest].map(indentRest);
  }
  const next = outcome.kind === 'halted' ? [`continue: tireless resume ${loop}${advice({ spec, state })}`] : [];
  return [outcomeSentence({ spec, state }), took, ...lastWordsLines(state), explain, ...next].map(indentRest);
}

/** The agent's last message, in lines that fit a terminal. */
function lastWordsLines({ lastMessage }: Pick<Loaded['state'], 'lastMessage'>): readonly string[] {
  return folded('said:', lastWords(lastMessage, WORDS_CHARS_MAX));
}

/** A label and its text, in lines that fit. */
function folded(label: string, words: string | null): readonly string[] {
  if (words === null || words === '') return [];
  const [first = '', ...rest] = foldLine(`${' '.repeat(LABEL_COLUMNS)}${words}`, COLUMNS);
  return [`${label}${first.slice(label.length)}`, ...rest];
}

function advice({ spec, state }: Pick<Loaded, 'spec' | 'state'>): string {
  const flag = state.outcome?.kind === 'halted' ? raiseAdvice(state.outcome.guard, state.limits, spec.dialect) : null;
  return flag === null ? '' : ` ${flag}`;
}

function indentRest(line: string, index: number): string {
  return index === 0 ? line : `  ${line}`;
}
