import path from 'node:path';
import { fieldsOf, nameIn } from '../../hosts/fields.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { realPath } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userFolder } from '../settings/installation.ts';
import type { Finding } from './finding.ts';
import { problem } from './finding.ts';
import type { Settings } from './read-settings.ts';
import { hooksOffFinding, readSettings } from './read-settings.ts';

const HOST = 'gemini';
const TRUST_VARIABLE = 'GEMINI_CLI_TRUST_WORKSPACE';

/** In a folder that it was told not to trust Gemini CLI knows our commands and runs no hook, and says nothing. */
export function geminiFindings(project: string, world: SetupWorld): readonly Finding[] {
  const folder = userFolder(HOST, world);
  const all = readSettings([`${project}/.gemini/settings.json`, `${folder}/settings.json`]);
  return [
    ...all
      .filter(({ fields }) => fieldsOf(fields['hooksConfig'])?.['enabled'] === false)
      .map(({ file }) => hooksOffFinding(HOST, file, 'hooksConfig.enabled')),
    ...(isDistrusted(project, { all, folder, world })
      ? [
          problem(HOST, {
            about: 'trust',
            text: `Gemini CLI was told not to trust ${project}: it runs no hook there, without a word`,
            fix: HOSTS.gemini.install.folderTrust ?? '',
          }),
        ]
      : []),
  ];
}

type Seen = { readonly all: readonly Settings[]; readonly folder: string; readonly world: SetupWorld };

/** The longest path that holds the folder has the say. */
function isDistrusted(project: string, { all, folder, world }: Seen): boolean {
  const said = nameIn(world.env, TRUST_VARIABLE);
  if (said === 'true' || said === 'false') return said === 'false';
  const security = all.map(({ fields }) => fieldsOf(fields['security']));
  if (security.some((each) => fieldsOf(each?.['folderTrust'])?.['enabled'] === false)) return false;
  const rules = readSettings([`${folder}/trustedFolders.json`]).flatMap(({ fields }) => Object.entries(fields));
  const here = realPath(project);
  const longest = rules
    .filter(([rule, word]) => isBelow(here, realPath(word === 'TRUST_PARENT' ? path.dirname(rule) : rule)))
    .toSorted(([one], [other]) => other.length - one.length)[0];
  return longest?.[1] === 'DO_NOT_TRUST';
}

function isBelow(folder: string, above: string): boolean {
  const way = path.relative(above, folder);
  return way === '' || (!way.startsWith('..') && !path.isAbsolute(way));
}
