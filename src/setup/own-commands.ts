import path from 'node:path';
import type { TypedCommand } from '../core/event.ts';
import { TYPED_COMMANDS } from '../core/event.ts';
import { isOurCommandText } from '../hosts/command-files.ts';
import type { HostId } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { ignoringErrno } from '../system/errno.ts';
import { readTextIfExists } from '../system/files.ts';
import { userHome } from './settings/installation.ts';
import type { SetupWorld } from './setup-world.ts';

export type OwnCommand = { readonly name: TypedCommand; readonly file: string };

/**
 * The file of the user that the host takes this command from; `undefined` = it takes it from a file of ours, or from none (a plugin, a prompt).
 * What cannot be read is not taken for theirs.
 */
export function userCommandFile(
  host: HostId,
  name: string,
  project: string,
  world: Pick<SetupWorld, 'env'>,
): string | undefined {
  const { commandFiles, userFolder } = HOSTS[host].install;
  if (commandFiles === undefined) return undefined;
  const home = ignoringErrno(() => userHome(world));
  const ofProject = [path.join(project, commandFiles.folder)];
  const ofUser = home === undefined ? [] : [userFolder({ home, variables: world.env })];
  const folders = commandFiles.userFirst === true ? [...ofUser, ...ofProject] : [...ofProject, ...ofUser];
  for (const file of folders.flatMap((folder) => commandFiles.files(name).map((each) => path.join(folder, each)))) {
    const text = ignoringErrno(() => readTextIfExists(file));
    if (text !== undefined) return isOurCommandText(text) ? undefined : file;
  }
  return undefined;
}

/** All commands of ours that the user has one of their own for. */
export function userCommands(host: HostId, project: string, world: Pick<SetupWorld, 'env'>): readonly OwnCommand[] {
  return TYPED_COMMANDS.flatMap((name) => {
    const file = userCommandFile(host, name, project, world);
    return file === undefined ? [] : [{ name, file }];
  });
}
