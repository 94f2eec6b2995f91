import type { LoopId, Status } from '../core/loop.ts';
import type { Control } from '../engine/ports.ts';
import type { ProgressUpdate } from '../runner/drive-context.ts';
import type { Progress } from '../terminal/display.ts';
import { cutWords } from '../views/sentences.ts';

/** The driver's reports, in the form that a display shows. Decisions come from `observedControl`, which knows their evidence. */
export function progressOf(update: ProgressUpdate, nowMs: number): Progress | null {
  switch (update.kind) {
    case 'lease-taken':
      return update.from === null ? null : note(`took over from process ${update.from.pid}, which is dead`);
    case 'waiting':
      return { kind: 'waiting', untilMs: nowMs + update.ms, why: update.reason };
    case 'agent-active':
      return update.activity.kind === 'alive' ? null : update;
    case 'turn-cut':
      return note(`stopping the agent: ${cutWords(update.cut)}`);
    case 'stopping':
      return note(
        update.reason === 'interrupt'
          ? 'stopping; Ctrl-C again kills everything at once'
          : `${movedWords(update.status)}; stopping the agent`,
      );
    case 'trouble':
      return note(update.message);
    case 'decided':
    case 'agent-started':
    case 'checking':
      return null;
  }
}

/** A control that also reports every committed decision with its evidence. */
export function observedControl(control: Control, show: (progress: Progress) => void): Control {
  const post: Control['post'] = async (loop, event, report) => {
    const handled = await control.post(loop, event, report);
    const { decision, evidence, loaded } = handled;
    if (decision.kind === 'abstain' || loaded === undefined || evidence === undefined) return handled;
    // A check that cannot run ended the loop; the fault that follows reports it.
    if (event.kind === 'baseline-taken' && decision.kind === 'cancel') return handled;
    const { dialect } = loaded.spec;
    const inFile = dialect === undefined ? {} : { dialect };
    if (event.kind === 'iteration-began') {
      show({
        kind: 'iteration-began',
        iteration: event.iteration,
        max: loaded.state.limits.iterationsMax,
        rerun: loaded.state.plan.rerun,
        ...inFile,
      });
    } else {
      show({ kind: 'decided', event, evidence, decision, ...inFile });
    }
    return handled;
  };
  return { ...control, post, cancel: (loop: LoopId) => post(loop, { kind: 'cancel-requested' }) };
}

function movedWords(status: Status | undefined): string {
  return status === 'paused' || status === 'cancelled'
    ? `${status} from another terminal`
    : 'another process changed the loop';
}

function note(text: string): Progress {
  return { kind: 'note', text };
}
