import type { Fields } from './fields.ts';

/** A settings file and its content. */
export type Settings = { readonly file: string; readonly fields: Fields };

/** What an examination may look at. Files are read for it; one that makes no sense throws `SETTINGS_INVALID`. */
export type ExaminationLook = {
  readonly project: string;
  /** Where the host keeps the settings of the user. */
  readonly userFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** In the order given, without missing files. */
  readonly readJson: (files: readonly string[]) => readonly Settings[];
  /** What the administrator of this machine set for that program. It overrides all settings of the user. */
  readonly managedSettings: (program: 'claude-code') => readonly Settings[];
  /** Empty = it is missing. */
  readonly readToml: (file: string) => Fields;
  /** With every link resolved; a folder is below itself. */
  readonly isBelow: (folder: string, above: string) => boolean;
  readonly parentOf: (file: string) => string;
  readonly isFolder: (file: string) => boolean;
  readonly sha256: (text: string) => string;
};

/** `installed`: what "tireless install" wrote. `fix`: the command that puts it back. */
export type InstalledLook = ExaminationLook & {
  readonly installed: readonly { readonly files: readonly string[]; readonly trustCommand: string }[];
  readonly isOurCall: (line: string) => boolean;
  readonly fix: string;
};

/** One finding. Every problem has a fix. */
export type HostFinding = { readonly about: 'cap' | 'conflict' | 'hooks-off' | 'trust'; readonly text: string } & (
  | { readonly status: 'ok' }
  | { readonly status: 'problem'; readonly fix: string }
);

/** What only this host has in its settings. */
export type HostExamination = {
  readonly findings: (look: InstalledLook) => readonly HostFinding[];
  /** Did the user install the plugin of tireless by the host's own means? */
  readonly hasPlugin?: (look: ExaminationLook) => boolean;
  /** Did the user put hooks of tireless there by hand? */
  readonly hasOwnHooks?: (look: ExaminationLook) => boolean;
  /** How the user removes that plugin. */
  readonly pluginRemoval?: string;
  /** What the user has to do where a plugin cannot. */
  readonly pluginFix?: string;
};

/** The administrator of this machine forbids it: no setting of the user changes that. */
export function hooksForbidden(file: string, setting: string, host: string): HostFinding {
  return {
    about: 'hooks-off',
    status: 'problem',
    text: `${file}, which manages this machine, sets ${setting}: no hook of tireless runs`,
    fix: `ask whoever manages this machine to remove "${setting}", or start the agents from outside: tireless run --agent ${host}`,
  };
}

export function hooksOff(file: string, setting: string): HostFinding {
  return {
    about: 'hooks-off',
    status: 'problem',
    text: `${file} sets ${setting}: no hook runs`,
    fix: `remove "${setting}" from ${file}`,
  };
}

/** Is a plugin of ours among them, and on? */
export function hasOurPlugin(plugins: Fields | undefined, isOn: (plugin: unknown) => boolean): boolean {
  return Object.entries(plugins ?? {}).some(([name, plugin]) => name.startsWith('tireless@') && isOn(plugin));
}
