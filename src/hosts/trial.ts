import type { Fields } from './fields.ts';

/** Where a client is tried out. `scratch`: a folder of ours, removed afterwards. */
export type TrialPlace = {
  readonly url: string;
  readonly prompt: string;
  /** A new UUID. */
  readonly session: string;
  readonly scratch: string;
  /** The folder of the host below the user's home, as the user has it. */
  readonly folder: (variable: string | null, name: string) => string;
  /** The project it is tried out in; `null` = an empty one, below the scratch folder. */
  readonly project: string | null;
};

export type TrialLaunch = {
  readonly args: readonly string[];
  /** Added to the plain one. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Written below the scratch folder first. */
  readonly files?: Readonly<Record<string, TrialFile>>;
  /**
   * Folders below the scratch folder that mirror another one, except for the files above: what the client writes, most of all sessions, is removed
   * with them. `only`: of a folder that also contains keys and sessions, just what the user set up.
   */
  readonly mirrors?: readonly TrialMirror[];
};

/** The text; the mirrored file as it is (`copy`) or with another text, where there is one; or its settings, changed. */
export type TrialFile =
  | string
  | { readonly copy: true }
  | { readonly text: (text: string) => string }
  | { readonly settings: (settings: Fields) => Fields };

type TrialMirror = {
  readonly of: string;
  readonly as: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** Copies instead of links: the client writes there. */
  readonly copied?: true;
};

/**
 * How a host is started once, with the settings that the user has, against a model on this machine. The model's address and a key that is
 * none are all that differs. The loop begins before it is started where its session can be `named`, with `/ralph` where that is `typed`, and
 * else when the session is `announced` in its output.
 */
export type HostTrial = {
  readonly begin: 'named' | 'typed' | 'announced';
  readonly launch: (place: TrialPlace) => TrialLaunch;
  /** What a project has set up is shown in the empty one: it would be written to. */
  readonly showsProject?: true;
  /** Variables of the user that the host finds its settings by. */
  readonly keepsVariables?: readonly string[];
  /** Variables that keep it from writing into the user's folder when it prints its version. */
  readonly versionVariables?: (scratch: string) => Readonly<Record<string, string>>;
};

export const TRIAL_KEY = 'no-key-tireless-doctor';
export const TRIAL_MODEL = 'fake-model';

/** What people set up in the folder of a host. Everything else there is keys, sessions and caches. */
export const USER_SETUP: readonly string[] = [
  'settings.json',
  'commands',
  'extensions',
  'skills',
  'agents',
  'hooks',
  'plugins',
  'trustedFolders.json',
];
