import type { Spec } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import { dayLimitText } from '../day-limit.ts';
import type { Answer, Words } from '../dialect.ts';
import { WATCH_CHECK } from './read.ts';

/** The document's `reason` and `message`, word for word where it has them. With `goesOn`, `reason` is the message. */
export function wordsFor(answer: Answer): Words {
  const { decision, loop } = answer;
  if (decision.kind !== 'continue' || loop === null) {
    const reason = reasonOf(answer);
    return { goesOn: false, text: '', reason, ...(reason === '' ? {} : { notice: reason }) };
  }
  const { counted, faultsInRow, limits } = loop.state;
  // Ours counts turns, the document how often the loop goes on: one less.
  const maximum = limits.iterationsMax === 'unlimited' ? 'unlimited' : limits.iterationsMax - 1;
  // A turn that a pause interrupted is run again too, and nothing failed.
  const isRetry = decision.rerun && faultsInRow > 0;
  // The number of the turn that ended or failed, as `iterations` and `errors` have it.
  const number = Math.max(1, isRetry ? counted + 1 : counted);
  const shown = maximum === 'unlimited' ? number : Math.min(number, Math.max(1, maximum));
  const message = `${isRetry ? 'Retrying after an error' : 'Continuing loop'} (iteration ${shown}/${maximum})`;
  return { goesOn: true, text: promptOf(withWatchKnown(loop.spec), loop.state), reason: message, notice: message };
}

/** The document's prompt says nothing of the watched file, also when it was named by a later edit. */
function withWatchKnown(spec: Spec): Spec {
  const { dialect } = spec;
  if (dialect === undefined) return spec;
  return { ...spec, dialect: { ...dialect, checks: [...(dialect.checks ?? []), WATCH_CHECK] } };
}

/** Empty = there is nothing to tell: no loop, or not this session's. */
function reasonOf({ decision, reading }: Answer): string {
  switch (decision.kind) {
    case 'complete': {
      const isClaimed = decision.proofs.some((proof) => proof.kind === 'claim');
      return isClaimed ? 'Completion promise detected' : 'Task file moved to Done';
    }
    case 'halt':
      return haltReason(decision);
    case 'pause':
      return decision.question === undefined ? 'Waiting for approval' : `Waiting for approval: ${decision.question}`;
    case 'cancel':
      return 'Loop stopped by hand';
    case 'abstain':
      return reading?.kind === 'invalid' ? `The loop state cannot be read: ${reading.why}` : '';
    case 'continue':
    case 'record':
    case 'refuse':
      return '';
  }
}

function haltReason(decision: Answer['decision'] & { kind: 'halt' }): string {
  switch (decision.guard) {
    case 'iterations-max':
      return 'Max iterations reached';
    case 'duration-max':
      return 'Timeout reached';
    case 'agent-failed':
      return `Fatal error: ${decision.detail ?? 'no details'}`;
    case 'day-max':
      return `Limit reached: ${dayLimitText(decision)}`;
    case 'cost-max':
    case 'tokens-max':
    case 'faults-in-row':
    case 'no-progress':
    case 'tampered':
      return `Limit reached: ${decision.guard}`;
  }
}
