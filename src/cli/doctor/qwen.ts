import { fieldsOf } from '../../hosts/fields.ts';
import { readTextIfExists } from '../../system/files.ts';
import type { World } from '../services.ts';
import { valueIn } from '../settings/json-text.ts';
import { userHome } from '../settings/place.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';

const HOST = 'qwen';
const CAP = 'stopHookBlockingCap';
const CAP_DEFAULT = 8;
/** The most that Qwen Code takes. */
const CAP_MAX = 100;

export function qwenFindings(project: string, world: World, fix: string): readonly Finding[] {
  const files = [`${project}/.qwen/settings.json`, `${userHome(world)}/.qwen/settings.json`];
  const found = files.flatMap((file) => {
    const text = readTextIfExists(file);
    const cap = text === undefined ? undefined : fieldsOf(valueIn({ file, text }))?.[CAP];
    return typeof cap === 'number' ? [{ file, cap }] : [];
  })[0];
  const cap = found?.cap ?? CAP_DEFAULT;
  if (cap >= CAP_MAX) return [ok(HOST, { about: 'cap', text: `${CAP} is ${cap}, the most that it takes` })];
  const text = `after ${cap} replies in a row Qwen Code stops anyway (${CAP}: ${found?.file ?? 'not set'})`;
  return [
    problem(HOST, {
      about: 'cap',
      text,
      fix: found === undefined ? fix : `remove ${CAP} from ${found.file}, then: ${fix}`,
    }),
  ];
}
