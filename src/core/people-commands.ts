/**
 * What only a person may do: answer or speak for the user, begin, end or move a loop, raise its limits, decide what is trusted, and remove
 * the hooks. The commands carry the same flag (`isForPeople`), and a test compares the two.
 */
export const PEOPLE_COMMANDS = [
  'run',
  'start',
  'pause',
  'resume',
  'cancel',
  'prune',
  'steer',
  'approve',
  'reject',
  'allow',
  'deny',
  'import',
  'install',
  'uninstall',
] as const;

/** Stands for tireless's own files in place of a command name: changing them amounts to all of the above. */
export const HOME_FILES = 'home';

/** Inherited by every process of an outer loop: agents and checks. */
export const LOOP_VARIABLE = 'TIRELESS_LOOP';
