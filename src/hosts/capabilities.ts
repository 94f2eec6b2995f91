/** What a host can and cannot do, as measured on the client. `docs/hosts/<host>.md` is made from it. */
export type HostCapabilities = {
  /** Its name for people. */
  readonly title: string;
  /** The version it was measured on. */
  readonly measured: string;
  /** What calls us when the agent wants to stop, by the host's name for it. */
  readonly stopHook: string;
  /** Can a reply to a stop send the agent back to work? */
  readonly continuesAtStop: boolean;
  /** How many such replies in a row the host obeys before it stops anyway, unless it is configured otherwise. */
  readonly continuationsInRowMax: number | 'unlimited';
  /** How that number is raised; `null` = it cannot be, and the loop is handed over. */
  readonly raiseContinuations: string | null;
  /** How long a hook may take when nothing is configured, and what happens then. Every host measured lets the agent stop. */
  readonly hookTimeoutSeconds: number;
  /** Does a hook learn the session from its environment, before it reads the payload? The variable. */
  readonly sessionVariable: string | null;
  /** The variables that hold the id of the session in every command that its agent runs, as seen there; absent = the host sets none. */
  readonly agentVariables?: readonly string[];
  /** The variable that contains the process id of the client; absent = there is none. */
  readonly clientVariable?: string;
  /** Must a hook read all of its input, or does the host report it as failed? */
  readonly drainInput: boolean;
  readonly reportsLastMessage: boolean;
  readonly reportsBackgroundWork: boolean;
  readonly reportsUsage: boolean;
  /** Is there an event for a turn that failed? */
  readonly reportsFailures: boolean;
  /** Does the reply have a field for the user's eyes only? */
  readonly tellsUser: boolean;
  /** Can a reply begin the next iteration without the earlier conversation? */
  readonly clearsContext: boolean;
  /** Can a tool be refused before it runs? Only then can an iteration timeout be enforced in a session. */
  readonly refusesTools: boolean;
  /** Can it answer for the state files of other tools (`install --dialect`)? Not where a plugin of ours is the hook. */
  readonly answersDialects: boolean;
  /** Where `/ralph` comes from; `null` = the host has no commands of its own. */
  readonly commands: string | null;
  /** Is a typed command reported by an event of its own, in addition to that of the prompt? */
  readonly tellsCommands?: true;
  /** The prefix of a command there: the `/` of `/ralph`. */
  readonly commandPrefix: string;
  /** Only where a plugin's commands have to be called by its name: the prefix they then have, and the variable by which its hooks know. */
  readonly pluginCommands?: { readonly variable: string; readonly prefix: string };
  /** Has it a goal of its own (`/goal`) that keeps its agent going? */
  readonly ownGoal: boolean;
  /** The file of a project in which a plugin that others made for it keeps a loop. */
  readonly loopPluginFile?: string;
  /** Does one process of it work on several sessions at once? */
  readonly manySessions?: true;
  /** Does it read changed settings while it runs? */
  readonly reloadsSettings: boolean;
  /** While the agent works, does it keep what is typed (or only a command) until the loop is over, unless Esc is pressed? The user is notified. */
  readonly escFirst?: true;
  /** What else a user has to know, a sentence each. */
  readonly notes: readonly string[];
};
