import type { Limits, Probe, Spec, Timing } from '../../core/loop.ts';

/** What a caller requests of a loop. Everything left out gets its default. */
export type SpecOptions = {
  readonly checks?: CheckOptions;
  readonly checksInOrder?: boolean;
  /** Texts that the agent must claim in addition to the checks. */
  readonly claims?: readonly string[];
  readonly criteria?: readonly string[];
  /** Relative to the project. */
  readonly tracker?: string;
  readonly protect?: readonly string[];
  readonly room?: RoomOptions | 'none';
  readonly approveFinish?: boolean;
  readonly limits?: Partial<Limits>;
  readonly timing?: Partial<Timing>;
  readonly agent?: AgentOptions;
  readonly containment?: Spec['containment'];
};

export type CheckOptions = {
  /** Commands that must exit 0; `unit:: npm test` gives one a name. */
  readonly commands?: readonly string[];
  readonly holdouts?: readonly string[];
  /** Checks that are not commands. */
  readonly probes?: readonly { readonly name: string; readonly probe: Probe }[];
  /** A file in which a command reports its tests. `null` = there is only one command. */
  readonly reports?: readonly { readonly check: string | null; readonly file: string }[];
  readonly timeoutMs?: number | undefined;
};

export type RoomOptions = {
  readonly keep?: readonly string[];
  readonly free?: readonly string[];
  readonly setup?: string | undefined;
};

/** A known agent by its name, or a command. */
export type AgentOptions = {
  readonly name?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[];
  /** The configuration file that names the agent; absent = it was typed. */
  readonly file?: string;
};

export type OptionName =
  | 'agent'
  | 'agentCommand'
  | 'agentArgs'
  | 'checks'
  | 'holdouts'
  | 'reports'
  | 'claims'
  | 'criteria'
  | keyof Limits;

/** The flags of a command line, or the options of a program: messages name a wrong option as its reader knows it. */
export type OptionSource = {
  readonly nameOf: (option: OptionName) => string;
  /** An option with its value, as typed there. */
  readonly written: (option: OptionName, value: string) => string;
  /** Configuration files may set it too. */
  readonly readsConfig: boolean;
  readonly agents: KnownAgents;
};

/** How a known agent is started, and what it reports about a turn; without `reportsUsage` it is read like any command. */
type KnownAgent = {
  readonly launch: {
    readonly command: string;
    readonly reportsUsage?: { readonly cost: boolean; readonly tokens: boolean };
  };
};

export type KnownAgents = Readonly<Record<string, KnownAgent>>;
