/** How a host is started without its screen, for a loop that tireless drives or that its session handed over. */
export type HostLaunch = {
  /** A line of shell that reads the prompt on its standard input, works in the current directory, and prints what the agent says. */
  readonly command: string;
  /** What it lets the agent do without asking, for the user's eyes. */
  readonly leave: string;
};
