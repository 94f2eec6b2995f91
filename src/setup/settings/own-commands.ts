import path from 'node:path';
import type { TypedCommand } from '../../core/event.ts';
import { TYPED_COMMANDS } from '../../core/event.ts';
import { isFault } from '../../core/fault.ts';
import { isOurCommandText } from '../../hosts/command-mark.ts';
import { fieldsOf } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { OTHER_NAME } from '../../hosts/typed-command.ts';
import type { CommandPlace, UserPlace } from '../../hosts/setup.ts';
import { ignoringErrno } from '../../system/errno.ts';
import { readTextIfExists } from '../../system/files.ts';
import { foldersUpToRepository } from '../../system/project.ts';
import { userHome } from './installation.ts';
import { valueIn } from './json-text.ts';
import type { SetupWorld } from '../setup-world.ts';

/** A command of the user that has the same name as one of ours. */
export type OwnCommand = {
  readonly name: TypedCommand;
  readonly file: string;
  readonly text: string;
  readonly below: CommandPlace['below'];
  /** Our file that the host reads instead; `null` = the host runs the user's command by itself. */
  readonly hiddenBy: { readonly file: string; readonly below: CommandPlace['below'] } | null;
};

/** `home` is absent if the user has none. */
type Where = Partial<Pick<UserPlace, 'home'>> & Pick<UserPlace, 'variables'> & { readonly project: string };

type CommandFile = Pick<OwnCommand, 'file' | 'text' | 'below'>;

/** `undefined` = the host takes this command from our file, or from no file (a plugin, a prompt). An unreadable file counts as missing. */
export function ownCommand(host: HostId, name: TypedCommand, where: Where): OwnCommand | undefined {
  const files = commandFiles(host, name, where);
  const own = files.find(({ text }) => !isOurCommandText(text));
  const [first] = files;
  if (own === undefined || first === undefined) return undefined;
  return { name, ...own, hiddenBy: first === own ? null : { file: first.file, below: first.below } };
}

/** All our commands that the user has too. */
export function ownCommands(host: HostId, where: Where): readonly OwnCommand[] {
  return TYPED_COMMANDS.flatMap((name) => ownCommand(host, name, where) ?? []);
}

type HookView = Pick<OwnCommand, 'file' | 'text'> & { readonly isHidden: boolean; readonly isOtherKnown: boolean };

/** What the hook needs to know about it. */
export function findUserCommand(
  host: HostId,
  name: TypedCommand,
  project: string,
  world: Pick<SetupWorld, 'env'>,
): HookView | undefined {
  const where = whereIn(project, world);
  const own = ownCommand(host, name, where);
  if (own === undefined) return undefined;
  const isOtherKnown = commandFiles(host, `${OTHER_NAME}${name}`, where).length > 0;
  return { file: own.file, text: own.text, isHidden: own.hiddenBy !== null, isOtherKnown };
}

/** An install for the user cannot know the commands of each project, so ours keeps its short name for the other projects. */
export function isOfProjectOnly({ below }: Pick<OwnCommand, 'below'>, ours: 'user' | 'project'): boolean {
  return below === 'project' && ours === 'user';
}

export function whereIn(project: string, world: Pick<SetupWorld, 'env'>): Where {
  const home = ignoringErrno(() => userHome(world));
  return { project, variables: world.env, ...(home === undefined ? {} : { home }) };
}

/** The files that exist, in the order of the host, each once: the project may be the home. */
function commandFiles(host: HostId, name: string, where: Where): readonly CommandFile[] {
  const places = HOSTS[host].install.commandFiles?.(name) ?? [];
  const files = places.flatMap((place) =>
    foldersFor(host, place, where).map((folder) => ({ ...place, file: path.join(folder, place.file) })),
  );
  return files
    .filter(({ file }, index) => files.findIndex((each) => each.file === file) === index)
    .flatMap((place) => {
      const text = textAt(place);
      return text === undefined ? [] : [{ file: place.file, text, below: place.below }];
    });
}

function foldersFor(host: HostId, { below, upwards }: CommandPlace, where: Where): readonly string[] {
  const { home, variables, project } = where;
  if (below === 'project') return upwards === true ? foldersUpToRepository(project, home) : [project];
  if (home === undefined) return [];
  return [below === 'home' ? home : HOSTS[host].install.userFolder({ home, variables })];
}

function textAt({ file, key = [] }: CommandPlace): string | undefined {
  const text = ignoringErrno(() => readTextIfExists(file));
  if (text === undefined || key.length === 0) return text;
  try {
    let value: unknown = valueIn({ file, text });
    for (const each of key) value = fieldsOf(value)?.[each];
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
