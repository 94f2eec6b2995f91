import type { CheckResult } from '../core/evidence.ts';
import { Fault } from '../core/fault.ts';
import type { LoopId } from '../core/loop.ts';
import { missingCommandLine } from '../core/missing-command.ts';
import { oneLine } from '../core/quoting.ts';
import type { Control, Handled } from './ports.ts';

const WHY_BYTES_MAX = 200;

/**
 * Finds a check of the baseline that cannot be run at all, or passes without its report: its result would be `unknown` forever, so the loop
 * ends before any agent starts. A check that runs and fails is fine: that is what a loop is for.
 */
export function unrunnableCheckIn({ decision, evidence }: Handled): CheckResult | undefined {
  if (decision.kind === 'abstain') return undefined;
  return (evidence?.checks ?? []).find(({ unknown }) => unknown === 'not-runnable' || unknown === 'no-report');
}

export type UnrunnableCheck = Pick<CheckResult, 'name' | 'tail' | 'unknown'>;

/** Wraps a control so that it cancels a loop whose baseline contains a check that cannot be run. */
export function cancellingUnrunnable(control: Control, found: (check: UnrunnableCheck) => void): Control {
  return {
    ...control,
    post: async (loop, event, report) => {
      const handled = await control.post(loop, event, report);
      const check = event.kind === 'baseline-taken' ? unrunnableCheckIn(handled) : undefined;
      if (check === undefined) return handled;
      found(check);
      const cancelled = await control.post(loop, { kind: 'cancel-requested', because: 'start-failed' });
      return handled.loaded === undefined ? cancelled : { ...cancelled, earlier: handled.loaded };
    },
  };
}

/** `known`: the commands that seem to test this project. */
export function unrunnableFault(
  loop: LoopId,
  { name, tail, unknown }: UnrunnableCheck,
  known: readonly string[] = [],
): Fault {
  const others = known.filter((command) => command !== name).map((command) => `"${command}"`);
  const offer = others.length === 0 ? '' : ` This project seems to have ${others.join(' and ')}.`;
  const last = missingCommandLine(tail) ?? tail.split(/[\r\n]+/u).findLast((line) => line.trim() !== '');
  const why = last === undefined ? '' : ` (${oneLine(last, WHY_BYTES_MAX)})`;
  return new Fault(
    'CHECK_NOT_RUNNABLE',
    `Cannot ${unknown === 'no-report' ? 'count the tests of' : 'run'} the check "${name}"${why}, so loop ${loop} was cancelled before the agent began. Correct the command${unknown === 'no-report' ? ' or --check-report' : ''}, or add --allow-missing-check if the agent will create it.${offer}`,
  );
}
