import type { ExaminationLook, HostExamination, Settings } from '../examination.ts';
import { hooksOff } from '../examination.ts';
import { fieldsOf, nameIn } from '../fields.ts';
import { install } from './install.ts';

const TRUST_VARIABLE = 'GEMINI_CLI_TRUST_WORKSPACE';

/** In an untrusted folder, Gemini CLI knows our commands but silently runs no hook. */
export const examination: HostExamination = {
  findings: (look) => {
    const { project, userFolder, readJson } = look;
    const all = readJson([`${project}/.gemini/settings.json`, `${userFolder}/settings.json`]);
    return [
      ...all
        .filter(({ fields }) => fieldsOf(fields['hooksConfig'])?.['enabled'] === false)
        .map(({ file }) => hooksOff(file, 'hooksConfig.enabled')),
      ...(isDistrusted(all, look)
        ? [
            {
              about: 'trust',
              status: 'problem',
              text: `Gemini CLI is set not to trust ${project}: it silently runs no hook there`,
              fix: install.folderTrust ?? '',
            } as const,
          ]
        : []),
    ];
  },
  pluginRemoval: 'gemini extensions uninstall tireless',
  hasPlugin: ({ userFolder, isFolder }) => isFolder(`${userFolder}/extensions/tireless`),
};

/** The longest path that contains the folder decides. */
function isDistrusted(all: readonly Settings[], look: ExaminationLook): boolean {
  const { project, userFolder, variables, readJson, isBelow, parentOf } = look;
  const setting = nameIn(variables, TRUST_VARIABLE);
  if (setting === 'true' || setting === 'false') return setting === 'false';
  const security = all.map(({ fields }) => fieldsOf(fields['security']));
  if (security.some((each) => fieldsOf(each?.['folderTrust'])?.['enabled'] === false)) return false;
  const rules = readJson([`${userFolder}/trustedFolders.json`]).flatMap(({ fields }) => Object.entries(fields));
  const longest = rules
    .filter(([rule, word]) => isBelow(project, word === 'TRUST_PARENT' ? parentOf(rule) : rule))
    .toSorted(([one], [other]) => other.length - one.length)[0];
  return longest?.[1] === 'DO_NOT_TRUST';
}
