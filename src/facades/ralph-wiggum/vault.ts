import path from 'node:path';
import { WIGGUM_VAULT } from '../../dialects/ralph-wiggum/descriptor.ts';
import { realDirectory } from '../../system/project.ts';
import { isDirectory } from '../../system/scratch.ts';

/** The document's folders; each can be moved, relative to the project. */
export type VaultFolders = {
  readonly stateFolder?: string;
  readonly historyFolder?: string;
  readonly pendingFolder?: string;
  readonly approvedFolder?: string;
  readonly rejectedFolder?: string;
};

/** Folders relative to the project, which is absolute. */
export type Vault = { readonly project: string; readonly folders: Required<VaultFolders> };

const FOLDERS: Required<VaultFolders> = {
  stateFolder: `${WIGGUM_VAULT}/Ralph_State`,
  historyFolder: `${WIGGUM_VAULT}/Ralph_History`,
  pendingFolder: `${WIGGUM_VAULT}/Pending_Approval`,
  approvedFolder: `${WIGGUM_VAULT}/Approved`,
  rejectedFolder: `${WIGGUM_VAULT}/Rejected`,
};

/** The nearest folder at or above `cwd` that contains the state folder: a `cd` does not lose the loop. `undefined` = there is none. */
export function findVault(cwd: string, folders: VaultFolders): Vault | undefined {
  const all = { ...FOLDERS, ...folders };
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    if (isDirectory(path.join(at, all.stateFolder))) return { project: realDirectory(at) ?? at, folders: all };
    if (path.dirname(at) === at) return undefined;
  }
}

export function inVault({ project, folders }: Vault, folder: keyof VaultFolders, name: string): string {
  return path.join(project, folders[folder], name);
}
