import type { Loop } from '../core/journal.ts';
import type { Pause } from '../core/loop.ts';
import type { Action } from './actions.ts';
import { pauseActions } from './actions.ts';
import { raiseAdvice } from './sentences.ts';

/** The prefix of our commands in the session of this loop; `null` = unknown, so the user needs a terminal. */
export function typedPrefix({ spec: { typed }, state: { session } }: Pick<Loop, 'spec' | 'state'>): string | null {
  return typed !== undefined && typed.host === session?.host ? typed.prefix : null;
}

/** The command that continues a loop, in its session or in a terminal. */
export function resumeCommand(loop: string, prefix: string | null): string {
  return prefix === null ? `tireless resume ${loop}` : `${prefix}ralph --resume ${loop}`;
}

/** The command that continues a halted loop, with the limit that has to be raised; `null` = it is not halted. */
export function haltedCommand({ spec, state }: Pick<Loop, 'spec' | 'state'>, prefix: string | null): string | null {
  const { outcome, limits, loop } = state;
  if (outcome?.kind !== 'halted') return null;
  const flag = raiseAdvice(outcome.guard, limits, spec.dialect);
  return `${resumeCommand(loop, prefix)}${flag === null ? '' : ` ${flag}`}`;
}

/** The actions of a pause for a user in the session of the loop, where a message is enough for most of them. */
export function pauseActionsHere(loop: string, pause: Pause, prefix: string | null): readonly Action[] {
  const actions = pauseActions(loop, pause);
  const resume = resumeCommand(loop, prefix);
  switch (pause.cause) {
    case 'blocked':
      return [{ label: null, advice: 'just answer here, and the loop continues' }];
    case 'aborted':
    case 'failed':
    case 'trouble':
    case 'usage-limit':
    case 'handed-over':
      return [
        { label: null, advice: 'write to the agent here, and the loop continues' },
        ...actions.filter((action) => 'command' in action),
      ];
    case 'user':
      return [{ label: 'continue', command: resume }];
    case 'approval':
      return prefix === null ? actions : answerCommands(prefix);
    case 'review':
      // The first action is to look at the work, which needs a terminal.
      return prefix === null ? actions : [...actions.slice(0, 1), ...answerCommands(prefix)];
    case 'usage-unknown':
      return [
        { label: 'continue without that limit', command: `${resume} --max-cost unlimited --max-tokens unlimited` },
      ];
  }
}

function answerCommands(prefix: string): readonly Action[] {
  return [
    { label: 'approve', command: `${prefix}ralph-approve` },
    { label: 'reject', command: `${prefix}ralph-reject TEXT` },
  ];
}
