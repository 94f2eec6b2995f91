import type { AbstainReason } from '../core/decision.ts';
import { Fault } from '../core/fault.ts';
import type { Loop } from '../core/journal.ts';
import { durationText } from './duration.ts';
import { shownUsed } from './iteration-count.ts';
import { abstainWords, raiseAdvice, stateSentence } from './sentences.ts';
import { resumeCommand } from './session-actions.ts';
import { fullStop } from './printable.ts';

const MORE_ITERATIONS = 20;

/** Why a loop does not continue, and what to type instead. `prefix`: of the commands in its session; `null` = in a terminal. */
export function resumeRefusal({ spec, state }: Loop, because: AbstainReason, prefix: string | null): Fault {
  const { outcome, loop } = state;
  const command = resumeCommand(loop, prefix);
  if (because === 'limit-not-raised') {
    const advice = outcome?.kind === 'halted' ? raiseAdvice(outcome.guard, state.limits, spec.dialect) : null;
    if (advice !== null)
      return new Fault(
        'LOOP_STATE',
        `${fullStop(`Cannot continue loop ${loop}: it ${stateSentence({ spec, state })}`)} Raise that limit, for example: ${command} ${advice}`,
      );
    const used = shownUsed(state.counted, spec.dialect);
    return new Fault(
      'LOOP_STATE',
      `Cannot continue loop ${loop} within these limits: it has used ${used === 1 ? '1 iteration' : `${used} iterations`} and ${durationText(state.runningMs)} already. Give it more, for example: ${command} --max-iterations ${used + MORE_ITERATIONS}`,
    );
  }
  if (because === 'ended')
    return new Fault(
      'LOOP_ENDED',
      `${fullStop(`Cannot continue loop ${loop}: it ${stateSentence({ spec, state })}`)} "tireless explain ${loop}" shows why; ${prefix === null ? '"tireless run"' : `${prefix}ralph "goal"`} starts a new one.`,
    );
  return new Fault(
    'LOOP_STATE',
    `Cannot continue loop ${loop}: ${abstainWords(because)}. Look at "tireless status ${loop}".`,
  );
}
