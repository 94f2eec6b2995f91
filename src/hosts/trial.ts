import type { Fields } from './fields.ts';

/** Where a client is tried. `scratch`: a folder of ours, removed afterwards. */
export type TrialPlace = {
  readonly url: string;
  readonly prompt: string;
  /** A new UUID. */
  readonly session: string;
  readonly scratch: string;
  /** The folder of the host below the user's home, as set up by the user. */
  readonly folder: (variable: string | null, name: string) => string;
  /** The project it is tried in; `null` = an empty one, below the scratch folder. */
  readonly project: string | null;
};

export type TrialLaunch = {
  readonly args: readonly string[];
  /** Added to the plain environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Written below the scratch folder first. */
  readonly files?: Readonly<Record<string, TrialFile>>;
  /**
   * Folders below the scratch folder that mirror another one, except for the files above: everything the client writes, especially
   * sessions, is removed with them. `only`: just the user's setup, for a folder that also contains keys and sessions.
   */
  readonly mirrors?: readonly TrialMirror[];
};

/** A text; the mirrored file as it is (`copy`) or with another text, if it exists; or its settings, changed. */
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
 * How a host is started once, with the user's settings, against a model on this machine. Only the model's address and a fake key differ.
 * The loop begins before the start if its session can be `named`, with `/ralph` if that is `typed`, and otherwise when the session is
 * `announced` in its output.
 */
export type HostTrial = {
  readonly begin: 'named' | 'typed' | 'announced';
  readonly launch: (place: TrialPlace) => TrialLaunch;
  /** The project's own setup is shown in the empty project, because the client would write to it. */
  readonly showsProject?: true;
  /** Variables of the user by which the host finds its settings. */
  readonly keepsVariables?: readonly string[];
  /** Variables that keep it from writing into the user's folder when it only prints its version. */
  readonly versionVariables?: (scratch: string) => Readonly<Record<string, string>>;
};

export const TRIAL_KEY = 'no-key-tireless-doctor';
export const TRIAL_MODEL = 'fake-model';

/** The user's own setup in the folder of a host. Everything else there is keys, sessions and caches. */
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
