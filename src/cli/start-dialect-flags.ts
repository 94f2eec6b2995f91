import { Fault } from '../core/fault.ts';
import type { AskedTimes } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { StartFlags } from './start-args.ts';
import { typedFlagNames } from './start-args.ts';

const ALWAYS: ReadonlySet<keyof StartFlags> = new Set([
  'dialect',
  'session',
  'host',
  'cwd',
  'goal-file',
  'from-todos',
  'template',
  'max-iterations',
  'json',
]);

/** Flags that belong to `tireless hook --dialect`, which needs them at every stop. */
const IN_THE_HOOK: ReadonlySet<keyof StartFlags> = new Set([
  'check',
  'holdout',
  'check-exists',
  'check-matches',
  'check-json',
  'check-git-clean',
  'check-report',
  'check-timeout',
  'protect',
  'free',
  'room-keep',
  'room-setup',
  'no-room',
  'max-duration',
  'max-no-progress',
  'iteration-timeout',
]);

/** Refuses an option that a state file cannot express: ignoring it would break a promise. */
export function refuseForeignFlags(name: DialectName, flags: StartFlags): void {
  const held = DIALECTS[name].start.flags;
  const other = typedFlagNames(flags).find((each) => !ALWAYS.has(each) && !held.some((flag) => flag === each));
  if (other !== undefined)
    throw new Fault(
      'USAGE',
      `Cannot use --${other} with --dialect ${name}: its state file cannot store it. ${
        IN_THE_HOOK.has(other)
          ? `Add it to the command of the hook: tireless hook HOST --dialect ${name} --${other}.`
          : 'Leave it out, or start a native loop, without --dialect.'
      }`,
    );
  if (flags['max-iterations'] === 'unlimited')
    throw new Fault(
      'USAGE',
      `Cannot use "unlimited" for --max-iterations with --dialect ${name}: a state file needs a number. Give one.`,
    );
}

export function askedTimes(flags: StartFlags): AskedTimes {
  return {
    ...(flags['max-duration'] === undefined ? {} : { 'max-duration': true }),
    ...(flags['pause-between'] === undefined ? {} : { 'pause-between': true }),
  };
}
