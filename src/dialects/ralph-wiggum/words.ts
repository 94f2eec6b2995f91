import type { Spec } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import { dayLimitText } from '../day-limit.ts';
import type { Answer, Words } from '../dialect.ts';
import { WATCH_CHECK } from './read.ts';

/** The document's `reason` and `message`, verbatim where it defines them. With `sendsBack`, `reason` is the message. */
export function wordsFor(answer: Answer): Words {
  const { decision, loop } = answer;
  if (decision.kind !== 'continue' || loop === null) {
    const reason = reasonOf(answer);
    return { sendsBack: false, text: '', reason, ...(reason === '' ? {} : { notice: reason }) };
  }
  const { counted, faultsInRow, limits } = loop.state;
  // We count turns; the document counts how often the loop continues, which is one less.
  const maximum = limits.iterationsMax === 'unlimited' ? 'unlimited' : limits.iterationsMax - 1;
  // A turn that was interrupted by a pause also runs again, but nothing failed.
  const isRetry = decision.rerun && faultsInRow > 0;
  // The number of the turn that ended or failed, as in `iterations` and `errors`.
  const number = Math.max(1, isRetry ? counted + 1 : counted);
  const shown = maximum === 'unlimited' ? number : Math.min(number, Math.max(1, maximum));
  const message = `${isRetry ? 'Retrying after an error' : 'Continuing loop'} (iteration ${shown}/${maximum})`;
  return { sendsBack: true, text: promptOf(withWatchKnown(loop.spec), loop.state), reason: message, notice: message };
}

/** The document's prompt does not mention the watched file, even if a later edit named it. */
function withWatchKnown(spec: Spec): Spec {
  const { dialect } = spec;
  if (dialect === undefined) return spec;
  return { ...spec, dialect: { ...dialect, checks: [...(dialect.checks ?? []), WATCH_CHECK] } };
}

/** Empty = nothing to report: no loop, or not this session's. */
function reasonOf({ decision, reading }: Answer): string {
  switch (decision.kind) {
    case 'complete':
      return completionReason(decision);

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

/** The proofs of an end that is shown later are only in the journal. */
function completionReason({ proofs }: Answer['decision'] & { kind: 'complete' }): string {
  const [proof] = proofs;
  if (proofs.some(({ kind }) => kind === 'claim')) return 'Completion promise detected';
  if (proof === undefined) return 'Loop completed';
  return proof.kind === 'file-status' ? 'Completed according to the state file' : 'Task file moved to Done';
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
