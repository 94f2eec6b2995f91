import { isTrueIn } from '../../hosts/fields.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userFolder } from '../settings/installation.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';
import type { Settings } from './read-settings.ts';
import { hooksOffFinding, readSettings } from './read-settings.ts';

const HOST = 'qwen';
const CAP = 'stopHookBlockingCap';
/** Goes before what stands in the settings. */
const CAP_VARIABLE = 'QWEN_CODE_STOP_HOOK_BLOCK_CAP';
const CAP_DEFAULT = 8;
/** The most that Qwen Code takes. */
const CAP_MAX = 100;

export function qwenFindings(project: string, world: SetupWorld, fix: string): readonly Finding[] {
  const own = userFolder(HOST, world);
  const all = readSettings([`${project}/.qwen/settings.json`, `${own}/settings.json`]);
  return [
    capFinding(all, world, fix),
    ...all
      .filter(({ fields }) => isTrueIn(fields, 'disableAllHooks'))
      .map(({ file }) => hooksOffFinding(HOST, file, 'disableAllHooks')),
  ];
}

function capFinding(all: readonly Settings[], { env }: SetupWorld, fix: string): Finding {
  const about = 'cap';
  const given = Number(env[CAP_VARIABLE] ?? '');
  if (Number.isInteger(given) && given > 0 && given < CAP_MAX)
    return problem(HOST, {
      about,
      text: capText(given, `${CAP_VARIABLE} in the environment`),
      fix: `unset ${CAP_VARIABLE}`,
    });
  const found = all.find(({ fields }) => typeof fields[CAP] === 'number');
  const cap = found === undefined ? CAP_DEFAULT : Number(found.fields[CAP]);
  if (cap >= CAP_MAX) return ok(HOST, { about, text: `${CAP} is ${cap}, the most that it takes` });
  return problem(HOST, {
    about,
    text: capText(cap, `${CAP}: ${found?.file ?? 'not set'}`),
    fix: found === undefined ? fix : `remove ${CAP} from ${found.file}, then: ${fix}`,
  });
}

function capText(cap: number, where: string): string {
  return `after ${cap} replies in a row Qwen Code stops anyway (${where})`;
}
