/** How a host is started without its screen, for a loop that tireless drives or that its session handed over. */
export type HostLaunch = {
  /** A line of shell that reads the prompt on its standard input, works in the current directory, and prints what the agent says. */
  readonly command: string;
  /** The runner reads its stream (`runner/agents`), which reports this about a turn; absent = it is run like any command. */
  readonly reportsUsage?: { readonly cost: boolean; readonly tokens: boolean };
  /** What it lets the agent do without asking, for the user's eyes. */
  readonly leave: string;
  /** How a session of it is continued; absent = it cannot be. */
  readonly resume?: HostResume;
};

export type HostResume = {
  /** The program and its words, without a shell. It reads the prompt on its standard input. */
  readonly words: (session: string) => readonly [string, ...string[]];
  /** The variable that names the process of the session to its hooks. */
  readonly processVariable: string;
  /** Variables that belong to a session, and not to one that is started from its hook. */
  readonly sessionVariables: readonly string[];
};
