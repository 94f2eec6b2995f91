import type { HostExamination, HostFinding, InstalledLook, Settings } from '../examination.ts';
import { hooksOff } from '../examination.ts';
import { isTrueIn } from '../fields.ts';

const CAP = 'stopHookBlockingCap';
/** Overrides the settings. */
const CAP_VARIABLE = 'QWEN_CODE_STOP_HOOK_BLOCK_CAP';
const CAP_DEFAULT = 8;
/** The maximum that Qwen Code accepts. */
const CAP_MAX = 100;

export const examination: HostExamination = {
  findings: (look) => {
    const { project, userFolder, readJson } = look;
    const all = readJson([`${project}/.qwen/settings.json`, `${userFolder}/settings.json`]);
    return [
      capFinding(all, look),
      ...all
        .filter(({ fields }) => isTrueIn(fields, 'disableAllHooks'))
        .map(({ file }) => hooksOff(file, 'disableAllHooks')),
    ];
  },
};

function capFinding(all: readonly Settings[], { variables, fix }: InstalledLook): HostFinding {
  const about = 'cap';
  const given = Number(variables[CAP_VARIABLE] ?? '');
  if (Number.isInteger(given) && given > 0 && given < CAP_MAX)
    return {
      about,
      status: 'problem',
      text: capText(given, `${CAP_VARIABLE} in the environment`),
      fix: `unset ${CAP_VARIABLE}`,
    };
  const found = all.find(({ fields }) => typeof fields[CAP] === 'number');
  const cap = found === undefined ? CAP_DEFAULT : Number(found.fields[CAP]);
  if (cap >= CAP_MAX) return { about, status: 'ok', text: `${CAP} is ${cap}, the maximum` };
  return {
    about,
    status: 'problem',
    text: capText(cap, `${CAP}: ${found?.file ?? 'not set'}`),
    fix: found === undefined ? fix : `remove ${CAP} from ${found.file}, then: ${fix}`,
  };
}

function capText(cap: number, where: string): string {
  return `after ${cap} replies in a row, Qwen Code stops anyway (${where})`;
}
