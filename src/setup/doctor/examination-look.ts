import path from 'node:path';
import type { ExaminationLook, InstalledLook, Settings } from '../../hosts/examination.ts';
import { fieldsOf, type Fields } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { readTextIfExists } from '../../system/files.ts';
import { namesIn } from '../../system/folder.ts';
import { sha256 } from '../../system/ids.ts';
import { currentPlatform, machineFolder, managedFolder } from '../../system/paths.ts';
import { isFolder, realPath } from '../../system/settings-files.ts';
import type { InstallRecord } from '../settings/install-record.ts';
import { userFolder } from '../settings/installation.ts';
import { valueIn } from '../settings/json-text.ts';
import { isOurCall } from '../settings/our-calls.ts';
import { tomlIn } from '../settings/toml-text.ts';
import type { SetupWorld } from '../setup-world.ts';
import { installCommand } from './installed.ts';

/** Everything on this machine that the examination of a host may read. */
export function lookAt(host: HostId, project: string, world: SetupWorld): ExaminationLook {
  return {
    project,
    userFolder: userFolder(host, world),
    variables: world.env,
    readJson,
    managedSettings: (program) => readManaged(program),
    machineToml: (program, folder, name) => {
      const file = path.join(machineFolder(program, folder, currentPlatform()), name);
      return { file, fields: readToml(file) };
    },
    readToml,
    isBelow,
    parentOf: (file) => path.dirname(file),
    isFolder,
    sha256: (text) => sha256(text),
  };
}

function readJson(files: readonly string[]): readonly Settings[] {
  return files.flatMap((file) => {
    const text = readTextIfExists(file);
    return text === undefined ? [] : [{ file, fields: fieldsOf(valueIn({ file, text })) ?? {} }];
  });
}

function readToml(file: string): Fields {
  return tomlIn({ file, text: readTextIfExists(file) ?? '' });
}

/** The file, and those in the folder next to it. */
function readManaged(program: string): readonly Settings[] {
  const folder = managedFolder(program, currentPlatform());
  const more = path.join(folder, 'managed-settings.d');
  const names = namesIn(more).filter((name) => name.endsWith('.json'));
  return readJson([path.join(folder, 'managed-settings.json'), ...names.map((name) => path.join(more, name))]);
}

function isBelow(folder: string, above: string): boolean {
  const way = path.relative(realPath(above), realPath(folder));
  return way === '' || (!way.startsWith('..') && !path.isAbsolute(way));
}

/** For a host in which tireless is installed. */
export function lookAtInstalled(
  host: HostId,
  project: string,
  records: readonly InstallRecord[],
  world: SetupWorld,
): InstalledLook {
  const home = world.services.home();
  const { pluginFix } = HOSTS[host].examination ?? {};
  const again = installCommand(host, records);
  return {
    ...lookAt(host, project, world),
    installed: records.map((record) => ({
      files: record.files.map(({ file }) => file),
      trustCommand: installCommand(host, [{ ...record, trust: true }]),
    })),
    isOurCall: (line) => isOurCall({ line }, host, home),
    fix: records.length === 0 ? (pluginFix ?? again) : again,
  };
}

/** Did the user install the tireless plugin in this host, with the host's own commands? */
export function hasPlugin(host: HostId, project: string, world: SetupWorld): boolean {
  return HOSTS[host].examination?.hasPlugin?.(lookAt(host, project, world)) === true;
}
