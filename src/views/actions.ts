import type { Pause } from '../core/loop.ts';

/** What a person can do next about a loop: a command to type, or advice if there is nothing to type. */
export type Action = {
  /** Comes before the text; `null` = the text needs no label. */
  readonly label: string | null;
} & ({ readonly command: string } | { readonly advice: string });

/** What a paused loop waits for. */
export function pauseActions(loop: string, pause: Pause): readonly Action[] {
  const resume = `tireless resume ${loop}`;
  const approve = { label: 'approve', command: `tireless approve ${loop}` };
  const reject = (what: string): Action => ({ label: 'reject', command: `tireless reject ${loop} "${what}"` });
  switch (pause.cause) {
    case 'user':
    case 'trouble':
    case 'aborted':
      return [{ label: 'continue', command: resume }];
    case 'blocked':
      return [
        { label: 'answer', command: `tireless steer ${loop} "…"` },
        { label: 'continue', command: resume },
      ];
    case 'failed':
      return [{ label: 'continue when that is fixed', command: resume }];
    case 'approval':
      return [approve, reject('what is missing')];
    case 'review':
      // No clean room could be made: what kept it from being made can be fixed.
      if (pause.request === 'work')
        return [{ label: 'continue when that is fixed', command: resume }, approve, reject('what to put back')];
      return [
        pause.work === undefined
          ? { label: null, advice: 'look at the changed files, then' }
          : { label: 'look', command: `tireless approve ${loop} --show` },
        approve,
        reject('what to put back'),
      ];
    case 'usage-limit':
      return [{ label: 'continue after the reset', command: resume }];
    case 'usage-unknown':
      return [
        { label: 'continue without that limit', command: `${resume} --max-cost unlimited --max-tokens unlimited` },
      ];
    case 'handed-over':
      return [
        { label: 'continue in its session', advice: 'write to the agent there' },
        { label: 'continue outside it', command: resume },
      ];
  }
}

/** One action per line, with the labels in a column. */
export function actionLines(actions: readonly Action[], columns: number = LABEL_COLUMNS): readonly string[] {
  const labels = actions.map(({ label }) => (label === null ? '' : `${label}:`));
  const width = Math.max(columns, ...labels.map((label) => label.length + 1));
  return actions.map(
    (action, at) => `${action.label === null ? '' : (labels[at] ?? '').padEnd(width)}${textOf(action)}`,
  );
}

/** As wide as "continue: ", so that several lists align. */
export const LABEL_COLUMNS = 10;

/** For use in a sentence. */
export function actionPhrases(actions: readonly Action[]): readonly string[] {
  return actions.map((action) => `${action.label === null ? '' : `${action.label}: `}${textOf(action)}`);
}

/** For the end of an error message: advice first, then commands. */
export function actionSentence(actions: readonly Action[]): string {
  const commands = actions.flatMap((action) => ('command' in action ? [action.command] : []));
  const advice = actions.flatMap((action) => ('advice' in action ? [action.advice] : []));
  const all = [...advice, ...(commands.length === 0 ? [] : [`type: ${commands.join(', or ')}`])].join(', or ');
  return `${all.slice(0, 1).toUpperCase()}${all.slice(1)}`;
}

function textOf(action: Action): string {
  return 'command' in action ? action.command : action.advice;
}
