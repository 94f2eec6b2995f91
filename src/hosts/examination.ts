import type { Fields } from './fields.ts';

/** A settings file and its content. */
export type Settings = { readonly file: string; readonly fields: Fields };

/** What an examination may read. Files are read for it; an invalid one throws `SETTINGS_INVALID`. */
export type ExaminationLook = {
  readonly project: string;
  /** Where the host keeps the settings of the user. */
  readonly userFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** In the order given, without missing files. */
  readonly readJson: (files: readonly string[]) => readonly Settings[];
  /** The settings of this machine's administrator for that program. They override all settings of the user. */
  readonly managedSettings: (program: 'claude-code') => readonly Settings[];
  /** The same for a program that has one TOML file for a whole machine. `folder`: as Windows calls it, with the vendor. */
  readonly machineToml: (program: string, folder: string, name: string) => Settings;
  /** Empty = the file is missing. */
  readonly readToml: (file: string) => Fields;
  /** With every link resolved; a folder is below itself. */
  readonly isBelow: (folder: string, above: string) => boolean;
  readonly parentOf: (file: string) => string;
  readonly isFolder: (file: string) => boolean;
  readonly sha256: (text: string) => string;
};

/** `installed`: the files that "tireless install" wrote. `fix`: the command that restores them. */
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

/** Checks that only this host needs. */
export type HostExamination = {
  readonly findings: (look: InstalledLook) => readonly HostFinding[];
  /** Did the user install the tireless plugin with the host's own commands? */
  readonly hasPlugin?: (look: ExaminationLook) => boolean;
  /** Did the user add hooks of tireless by hand? */
  readonly hasOwnHooks?: (look: ExaminationLook) => boolean;
  /** How the user removes that plugin. */
  readonly pluginRemoval?: string;
  /** What the user has to do if a plugin cannot. */
  readonly pluginFix?: string;
};

/** The administrator of this machine forbids hooks: no setting of the user changes that. */
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

/** Is our plugin among them, and enabled? */
export function hasOurPlugin(plugins: Fields | undefined, isOn: (plugin: unknown) => boolean): boolean {
  return Object.entries(plugins ?? {}).some(([name, plugin]) => name.startsWith('tireless@') && isOn(plugin));
}
