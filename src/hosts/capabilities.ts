/** What a host can and cannot do, as measured on the client. `docs/hosts/<host>.md` is generated from it. */
export type HostCapabilities = {
  /** Its name for people. */
  readonly title: string;
  /** What is typed before the id of a session to open it again, on its screen; absent = not measured. */
  readonly reopen?: string;
  /** The version it was measured on. */
  readonly measured: string;
  /** The host's name for the hook that calls us when the agent wants to stop. */
  readonly stopHook: string;
  /** Can a reply to a stop send the agent back to work? */
  readonly continuesAtStop: boolean;
  /** How many such replies in a row the host obeys before it stops anyway, unless it is configured otherwise. */
  readonly continuationsInRowMax: number | 'unlimited';
  /** How to raise that number; `null` = it cannot be raised, and the loop is handed over. */
  readonly raiseContinuations: string | null;
  /** How long a hook may take by default. After that, every host we measured lets the agent stop. */
  readonly hookTimeoutSeconds: number;
  /** The variable that names the session to a hook before it reads the payload; `null` = there is none. */
  readonly sessionVariable: string | null;
  /** The variables with the session id in every command that its agent runs, as measured; absent = the host sets none. */
  readonly agentVariables?: readonly string[];
  /** The variable that contains the process id of the client; absent = there is none. */
  readonly clientVariable?: string;
  /** Must a hook read all of its input, because the host otherwise reports it as failed? */
  readonly drainInput: boolean;
  readonly reportsLastMessage: boolean;
  readonly reportsBackgroundWork: boolean;
  readonly reportsUsage: boolean;
  /** Is there an event for a failed turn? */
  readonly reportsFailures: boolean;
  /** Does the reply have a field that only the user sees? */
  readonly showsNotices: boolean;
  /** Can a reply begin the next iteration without the earlier conversation? */
  readonly clearsContext: boolean;
  /** Can a tool be refused before it runs? Only then can an iteration timeout be enforced in a session. */
  readonly refusesTools: boolean;
  /** Can it handle the state files of other tools (`install --dialect`)? Not if the hook is our plugin. */
  readonly answersDialects: boolean;
  /** Where `/ralph` comes from; `null` = the host has no commands. */
  readonly commands: string | null;
  /** Does a typed command have its own event, in addition to that of the prompt? */
  readonly reportsCommands?: true;
  /** The prefix of a command there: the `/` of `/ralph`. */
  readonly commandPrefix: string;
  /** If a plugin's commands must be called by the plugin's name: their prefix, and the variable that tells its hooks. */
  readonly pluginCommands?: { readonly variable: string; readonly prefix: string };
  /** Does it have its own goal (`/goal`) that keeps its agent going? */
  readonly ownGoal: boolean;
  /** The project file in which a third-party plugin for this host keeps a loop. */
  readonly loopPluginFile?: string;
  /** Does one of its processes work on several sessions at once? */
  readonly runsManySessions?: true;
  /** Does it read changed settings while it runs? */
  readonly reloadsSettings: boolean;
  /** While the agent works, does it hold back typed messages (or only commands) until the loop ends, unless Esc is pressed? The user is notified. */
  readonly escFirst?: true;
  /** Anything else a user has to know, one sentence each. */
  readonly notes: readonly string[];
};
