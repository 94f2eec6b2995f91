import type { GuardedHook } from './guard.ts';

/** How a host is set up and started. Data in, data out: the command line reads and writes the files. Never part of the hook. */
export type HostSetup = {
  /** How it starts a hook on Windows; absent = it has none that a line starts. */
  readonly windows?: WindowsWay;
  /** It ignores a settings file with comments or trailing commas, with all hooks in it. */
  readonly strictJson?: true;
  /** It counts the time of a hook in milliseconds, not in seconds. */
  readonly countsMs?: true;
  /** The variable that names the project to a hook; absent = none does. */
  readonly projectVariable?: string;
  /** The folder with the tasks that the host keeps for a session, as a word for a shell in its hook; absent = none in files. */
  readonly taskList?: string;
  /** Signs of it on a machine: programs on the PATH, folders below the user's home. */
  readonly signs: { readonly programs: readonly string[]; readonly folders: readonly string[] };
  /** Where it keeps the settings of the user. */
  readonly userFolder: (place: UserPlace) => string;
  /** What to write where. The same place always gives the same edits. */
  readonly edits: (place: SetupPlace) => readonly SettingsEdit[];
  /**
   * Where it looks for a command of this name, in every form that it reads. Where it finds two, it runs the one listed first here.
   * Absent = commands are not files there.
   */
  readonly commandFiles?: (name: string) => readonly CommandPlace[];
  /** The module that it loads provides our commands, and renames one by itself where the user has a command of that name. */
  readonly namesItself?: true;
  /** What a user has to do or know in addition to the files, a sentence each. */
  readonly advice: (place: SetupPlace) => readonly string[];
  /** How a user says that a folder can be trusted; absent = the host reads the settings of every project. */
  readonly folderTrust?: string;
  /** What comes and goes with a loop (`--on-demand`); absent = the host does not read its settings again while it runs. */
  readonly whileArmed?: (place: SetupPlace) => readonly SettingsEdit[];
  /** Does this session read its settings only when it begins, although the host reads changed ones otherwise? Absent = it never does. */
  readonly readsSettingsOnce?: (variables: SetupPlace['variables']) => boolean;
  /** Where it keeps the transcript of a session, to find it by the id alone; absent = it is never looked for. */
  readonly transcript?: (place: UserPlace, session: string) => TranscriptPlace;
  /** Our own hooks marked as trusted, with the user's consent; absent = the host asks for none. */
  readonly trust?: (place: SetupPlace, look: TrustLook) => readonly SettingsEdit[];
};

/**
 * `below`: the project, the folder with the settings of the user, or the home of the user. `upwards`: the host also looks in the folders
 * above the project, up to the root of its repository. `key`: the file is JSON, and the text of the command is at this path in it.
 */
export type CommandPlace = {
  readonly below: 'project' | 'settings' | 'home';
  readonly file: string;
  readonly upwards?: true;
  readonly key?: readonly string[];
};

export type UserPlace = Pick<SetupPlace, 'home' | 'variables'>;

/** `below`: names, one below the other; `*` = any text. The folder of a project is not computed: the agent may have left it since. */
type TranscriptPlace = { readonly folder: string; readonly below: readonly string[] };

/** `none`: the program and its arguments, as they are. `isNamed`: a hook may say that it wants PowerShell. */
export type WindowsWay = { readonly shell: 'none' | 'powershell'; readonly isNamed?: true };

/** What a hook starts: a line of shell, or a program with arguments. `otherKeys`: other keys next to it in the settings. */
export type HookCall = {
  readonly line: string;
  readonly otherKeys?: { readonly args?: readonly string[]; readonly shell?: 'powershell' };
};

/** `atPrompt`: another call for the event before a prompt, where the dialect has more to say there. */
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
  /** What the host starts at one event: one short line that reads a script of `guards`, or a program where there is no POSIX shell. */
  readonly hookCall: (hook: GuardedHook) => HookCall;
  /** The scripts that those lines read, below the home of tireless. */
  readonly guards: readonly SettingsEdit[];
  /** What answers for the dialects enabled in this project, each guarded by its file. */
  readonly dialectCalls: readonly DialectHookCall[];
  /** The same for a turn that failed: only dialects whose document has rules for that. */
  readonly dialectErrorCalls: readonly DialectHookCall[];
  /** The same for the end of a session: only dialects whose loop ends with it. */
  readonly dialectEndCalls: readonly DialectHookCall[];
  /** Those loops limit the time of an iteration: the hook is called for tools too. */
  readonly dialectsTimed: boolean;
  /** Only those lines, and what they need: loops of our own are set up elsewhere, or not wanted. */
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
  /** The user agreed that tireless marks its own hooks as trusted, where the host asks for that. */
  readonly trust: boolean;
};

/** `why`: for the plan that the user reads before anything is written. */
export type SettingsEdit = { readonly file: string; readonly why: string } &
  /** Put values into a JSON file and leave every other byte alone. */
  (
    | { readonly kind: 'json'; readonly puts: readonly JsonPut[] }
    /**
     * A file of our own. `instead`: where a file of the user has that name. `isGuard`: a script below our home: always ours, whatever its
     * content, and several installs may need it.
     */
    | { readonly kind: 'own-file'; readonly text: string; readonly instead?: OtherName; readonly isGuard?: true }
    /** Tables at the end of a text file (TOML), each below a comment line. */
    | { readonly kind: 'block'; readonly text: string }
    /** Names that git ignores in this project, in a file that is not committed. `whose`: the install that added them. */
    | { readonly kind: 'exclude'; readonly whose: string; readonly names: readonly string[] }
  );

/** `name`: the command that the user may have already. `typed`: what the user types for ours then. */
type OtherName = { readonly name: string; readonly file: string; readonly text: string; readonly typed: string };

export type JsonPut = {
  readonly path: readonly string[];
  readonly value: unknown;
  /** `append`: to the array at `path`, once. `set`: at `path`; `uninstall` restores the earlier value. */
  readonly how: 'append' | 'set';
};
