/** How a host is started without its screen, for a loop that tireless drives or that its session handed over. */
export type HostLaunch = {
  /** A line of shell that reads the prompt on its standard input, works in the current directory, and prints the agent's message. */
  readonly command: string;
  /** What its stream reports about a turn (read in `runner/agents`); absent = it is run like any command. */
  readonly reportsUsage?: { readonly cost: boolean; readonly tokens: boolean };
  /** What it lets the agent do without asking, shown to the user. */
  readonly leave: string;
  /** How to continue one of its sessions; absent = not possible. */
  readonly resume?: HostResume;
};

export type HostResume = {
  /** The program and its arguments, without a shell. It reads the prompt on its standard input. */
  readonly words: (session: string) => readonly [string, ...string[]];
  /** The variable that names the process of the session to its hooks. */
  readonly processVariable: string;
  /** Variables of a session that must not reach a session started from its hook. */
  readonly sessionVariables: readonly string[];
};
