import type { Loop } from '../core/journal.ts';
import type { Pause } from '../core/loop.ts';
import { pauseAction, raiseAdvice } from './sentences.ts';

/** What is typed before the names of our commands in the session of this loop; `null` = not known, so the user needs a terminal. */
export function typedPrefix({ spec: { typed }, state: { session } }: Pick<Loop, 'spec' | 'state'>): string | null {
  return typed !== undefined && typed.host === session?.host ? typed.prefix : null;
}

/** What continues a loop, in its session or in a terminal. */
export function resumeCommand(loop: string, prefix: string | null): string {
  return prefix === null ? `tireless resume ${loop}` : `${prefix}ralph --resume ${loop}`;
}

/** The same for a halted loop, with the limit that has to be raised; `null` = it is not halted. */
export function haltedCommand({ spec, state }: Pick<Loop, 'spec' | 'state'>, prefix: string | null): string | null {
  const { outcome, limits, loop } = state;
  if (outcome?.kind !== 'halted') return null;
  const flag = raiseAdvice(outcome.guard, limits, spec.dialect);
  return `${resumeCommand(loop, prefix)}${flag === null ? '' : ` ${flag}`}`;
}

/** The actions of a pause for a user in the session of the loop, where a message is enough for most of them. */
export function pauseActionHere(loop: string, pause: Pause, prefix: string | null): readonly string[] {
  switch (pause.cause) {
    case 'blocked':
      return ['just answer here, and the loop continues'];
    case 'aborted':
    case 'failed':
    case 'trouble':
    case 'usage-limit':
    case 'handed-over':
      return [
        'write to the agent here, and the loop continues',
        ...pauseAction(loop, pause).filter((line) => line.includes('tireless')),
      ];
    case 'user':
      return [`continue: ${resumeCommand(loop, prefix)}`];
    case 'approval':
      return prefix === null ? pauseAction(loop, pause) : answerCommands(prefix);
    case 'review':
      return prefix === null ? pauseAction(loop, pause) : [lookAction(loop, pause), ...answerCommands(prefix)];
    case 'usage-unknown':
      return [
        `continue without that limit: ${resumeCommand(loop, prefix)} --max-cost unlimited --max-tokens unlimited`,
      ];
  }
}

function answerCommands(prefix: string): readonly string[] {
  return [`approve:  ${prefix}ralph-approve`, `reject:   ${prefix}ralph-reject TEXT`];
}

/** A session has no place for a review, so this is for a terminal. */
function lookAction(loop: string, { work }: Pause): string {
  return work === undefined ? 'look at the changed files, then' : `look:     tireless approve ${loop} --show`;
}
