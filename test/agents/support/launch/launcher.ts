import type { HostId } from '../../../../src/hosts/ids.ts';

/** The folders and addresses of a client in one test. */
export type Place = {
  readonly home: string;
  readonly project: string;
  readonly tmp: string;
  /** Of the fake model, without a path. */
  readonly modelUrl: string;
  /** Survives the test: for files that a client unpacks on its first run. */
  readonly cache: string;
  readonly client: string;
};

export type AgentRun = {
  readonly prompt: string;
  /** As on the screen, if the host accepts its commands only there. */
  readonly typed?: true;
  /** Continue this session of the host. */
  readonly resume?: string;
  /** Start the session under this id (a UUID), if the host supports it (`chosenSession`). */
  readonly session?: string;
  /** `other`: a second client of the same test, told apart by `request.lane`. */
  readonly lane?: 'other';
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
};

export type Launch = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Instead of `stdin`: what to send after each line it printed (`null`: before the first); `end` closes its input. */
  readonly talk?: (line: string | null) => { readonly say: string } | 'end' | null;
};

export type HookEntry = {
  readonly command: string;
  readonly matcher?: string;
  readonly timeoutSeconds?: number;
};

export type Launcher = {
  readonly host: HostId;
  /** Settings without which it does not start offline. */
  readonly seed: (place: Place) => void;
  /** One prompt, no terminal. */
  readonly headless: (place: Place, run: AgentRun) => Launch;
  /** In a terminal, for hosts where that was tried. */
  readonly interactive?: (place: Place, run: Omit<AgentRun, 'prompt'>) => Launch;
  /** Its own id for the session, from the output of a headless run. */
  readonly sessionOf: (stdout: string, place: Place) => string | undefined;
  readonly chosenSession: boolean;
  /**
   * Adds shell commands to the user's settings, one per event, by the host's names. Absent if it has no such hooks. `hookArgs` must then be
   * on the command line.
   */
  readonly addHooks?: (place: Place, entries: Readonly<Record<string, HookEntry>>) => void;
  readonly hookArgs?: readonly string[];
};

export function laneUrl(place: Place, run: Pick<AgentRun, 'lane'>): string {
  return run.lane === undefined ? place.modelUrl : `${place.modelUrl}/lane/${run.lane}`;
}

/** The first value of a field in lines of JSON; other lines are skipped. */
export function fieldInLines(stdout: string, ...names: readonly string[]): string | undefined {
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const fields = readLine(line);
    const value = names.map((name) => fields[name]).find((found) => typeof found === 'string');
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function readLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
