/**
 * What only a person may do: answer for the user, speak as the user, begin, end or move a loop, raise its limits, decide what is trusted,
 * and take the hooks away. The commands of the command line say the same of themselves (`isForPeople`), and a test compares the two.
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

/** Stands for the files of tireless where the name of a command is expected: who changes them does all of that at once. */
export const HOME_FILES = 'home';

/** The mark that every process of an outer loop inherits: its agents, and its checks. */
export const LOOP_VARIABLE = 'TIRELESS_LOOP';
