import type { GuardedHook } from './guard.ts';

/** How a host is set up and started. Data in, data out: the command line reads and writes the files. Never part of the hook. */
export type HostSetup = {
  /** How it starts a hook on Windows; absent = it starts none by a command line. */
  readonly windows?: WindowsWay;
  /** It ignores a settings file with comments or trailing commas, including all hooks in it. */
  readonly strictJson?: true;
  /** It takes the timeout of a hook in milliseconds, not in seconds. */
  readonly countsMs?: true;
  /** The variable with the project's path in a hook; absent = there is none. */
  readonly projectVariable?: string;
  /** The folder with the tasks that the host keeps for a session, as a word for a shell in its hook; absent = it keeps none in files. */
  readonly taskList?: string;
  /** Signs of it on a machine: programs on the PATH, folders below the user's home. */
  readonly signs: { readonly programs: readonly string[]; readonly folders: readonly string[] };
  /** Where it keeps the settings of the user. */
  readonly userFolder: (place: UserPlace) => string;
  /** The edits to make. The same place always gives the same edits. */
  readonly edits: (place: SetupPlace) => readonly SettingsEdit[];
  /**
   * Where it looks for a command of this name, in every form that it reads. If it finds two, it runs the one listed first here. Absent =
   * its commands are not files.
   */
  readonly commandFiles?: (name: string) => readonly CommandPlace[];
  /** The module that it loads provides our commands, and itself renames one if the user has a command of that name. */
  readonly namesItself?: true;
  /** What a user has to do or know in addition to the files, one sentence each. */
  readonly advice: (place: SetupPlace) => readonly string[];
  /** How a user marks a folder as trusted; absent = the host reads the settings of every project. */
  readonly folderTrust?: string;
  /** What comes and goes with a loop (`--on-demand`); absent = the host does not read its settings again while it runs. */
  readonly whileArmed?: (place: SetupPlace) => readonly SettingsEdit[];
  /** Does this session read its settings only when it begins, although the host otherwise reads changed ones? Absent = never. */
  readonly readsSettingsOnce?: (variables: SetupPlace['variables']) => boolean;
  /** Where it keeps the transcript of a session, to find it by the id alone; absent = it is never searched for. */
  readonly transcript?: (place: UserPlace, session: string) => TranscriptPlace;
  /** Marks our own hooks as trusted, with the user's consent; absent = the host needs no trust. */
  readonly trust?: (place: SetupPlace, look: TrustLook) => readonly SettingsEdit[];
};

/**
 * `below`: the project, the folder with the user's settings, or the user's home. `upwards`: the host also searches the folders above the
 * project, up to the root of its repository. `key`: the file is JSON, and the text of the command is at this path in it.
 */
export type CommandPlace = {
  readonly below: 'project' | 'settings' | 'home';
  readonly file: string;
  readonly upwards?: true;
  readonly key?: readonly string[];
};

export type UserPlace = Pick<SetupPlace, 'home' | 'variables'>;

/** `below`: names, one below the other; `*` = any text. The project's folder is not computed, because the agent may have left it. */
type TranscriptPlace = { readonly folder: string; readonly below: readonly string[] };

/** `none`: the program and its arguments, unchanged. `isNamed`: a hook may request PowerShell by name. */
export type WindowsWay = { readonly shell: 'none' | 'powershell'; readonly isNamed?: true };

/** What a hook starts: a line of shell, or a program with arguments. `otherKeys`: other keys beside it in the settings. */
export type HookCall = {
  readonly line: string;
  readonly otherKeys?: { readonly args?: readonly string[]; readonly shell?: 'powershell' };
};

/** `atPrompt`: another call for the event before a prompt, if the dialect adds something there. */
export type DialectHookCall = HookCall & { readonly atPrompt?: HookCall };

/** `settingsIn`: the content of a JSON file once the other edits are made. */
export type TrustLook = {
  readonly settingsIn: (file: string) => unknown;
  readonly sha256: (text: string) => string;
};

export type SetupPlace = {
  readonly scope: 'user' | 'project';
  /** The user's home and the project, absolute. */
  readonly home: string;
  readonly project: string;
  readonly isWindows: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What the host starts at one event: one short line that reads a script of `guards`, or a program if there is no POSIX shell. */
  readonly hookCall: (hook: GuardedHook) => HookCall;
  /** The scripts that those lines read, below the home of tireless. */
  readonly guards: readonly SettingsEdit[];
  /** The calls for the dialects enabled in this project, each guarded by its file. */
  readonly dialectCalls: readonly DialectHookCall[];
  /** The calls for a failed turn: only dialects whose document has rules for that. */
  readonly dialectErrorCalls: readonly DialectHookCall[];
  /** The calls for the end of a session: only dialects whose loop ends with it. */
  readonly dialectEndCalls: readonly DialectHookCall[];
  /** Those loops have an iteration timeout, so the hook is called for tools too. */
  readonly dialectsTimed: boolean;
  /** Only those lines, and what they need: native loops are set up elsewhere, or not wanted. */
  readonly dialectsOnly: boolean;
  /** How long a stop hook may take: checks run in it. */
  readonly hookTimeoutSeconds: number;
  /** The parts of this package that hosts load by path, absolute (`plugins/`). */
  readonly plugins: string;
  readonly node: string;
  readonly script: string;
  readonly tirelessHome: string;
  /** Only what is needed to begin a loop; the rest comes and goes with it. */
  readonly onDemand: boolean;
  /** The user agreed that tireless marks its own hooks as trusted, if the host requires that. */
  readonly trust: boolean;
};

/** `why`: shown in the plan, before anything is written. */
export type SettingsEdit = { readonly file: string; readonly why: string } &
  /** Put values into a JSON file and leave every other byte alone. */
  (
    | { readonly kind: 'json'; readonly puts: readonly JsonPut[] }
    /**
     * A file of our own. `instead`: used if a file of the user has that name. `isGuard`: a script below our home: always ours, whatever its
     * content, and possibly shared by several installs.
     */
    | { readonly kind: 'own-file'; readonly text: string; readonly instead?: OtherName; readonly isGuard?: true }
    /** Tables at the end of a text file (TOML), each below a comment line. */
    | { readonly kind: 'block'; readonly text: string }
    /** Names that git ignores in this project, in a file that is not committed. `whose`: the install that added them. */
    | { readonly kind: 'exclude'; readonly whose: string; readonly names: readonly string[] }
  );

/** `name`: the command that the user may already have. `typed`: what the user then types for ours. */
type OtherName = { readonly name: string; readonly file: string; readonly text: string; readonly typed: string };

export type JsonPut = {
  readonly path: readonly string[];
  readonly value: unknown;
  /** `append`: to the array at `path`, once. `set`: at `path`; `uninstall` restores the earlier value. */
  readonly how: 'append' | 'set';
};
