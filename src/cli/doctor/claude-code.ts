import { fieldsOf, isTrueIn } from '../../hosts/fields.ts';
import { readTextIfExists } from '../../system/files.ts';
import type { World } from '../services.ts';
import { valueIn } from '../settings/json-text.ts';
import { userHome } from '../settings/place.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';

type Fields = Readonly<Record<string, unknown>>;

const HOST = 'claude-code';
const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
const CAP_DEFAULT = 8;
/** Fewer replies in a row than a loop may well need. */
const CAP_MIN = 1000;
/** Both names under which the official plugin was published. */
const LOOP_PLUGIN = /^ralph-(?:wiggum|loop)@/u;

type Settings = { readonly file: string; readonly fields: Fields };

export function claudeFindings(project: string, world: World, fix: string): readonly Finding[] {
  const all = claudeSettings(project, world);
  return [capFinding(all, world, fix), ...offFindings(all), ...pluginFindings(all)];
}

/** The strongest first. */
export function claudeSettings(project: string, world: World): readonly Settings[] {
  const user = world.env['CLAUDE_CONFIG_DIR'] ?? `${userHome(world)}/.claude`;
  const files = [`${project}/.claude/settings.local.json`, `${project}/.claude/settings.json`, `${user}/settings.json`];
  return files.flatMap((file) => {
    const text = readTextIfExists(file);
    return text === undefined ? [] : [{ file, fields: fieldsOf(valueIn({ file, text })) ?? {} }];
  });
}

/** What stands in the settings goes before the environment that the client is started with. */
function capFinding(all: readonly Settings[], world: World, fix: string): Finding {
  const found = all.find(({ fields }) => fieldsOf(fields['env'])?.[CAP] !== undefined);
  const given = found === undefined ? world.env[CAP] : fieldsOf(found.fields['env'])?.[CAP];
  const where = found?.file ?? (given === undefined ? 'not set' : 'the environment');
  const cap = given === undefined ? CAP_DEFAULT : Number(given);
  if (cap === 0 || cap >= CAP_MIN) return ok(HOST, { about: 'cap', text: `${CAP} is ${cap} (${where})` });
  const shown = Number.isFinite(cap) ? cap : CAP_DEFAULT;
  const text = `after ${shown} replies in a row without a tool Claude Code stops anyway, without a word (${CAP}: ${where})`;
  const undo = found === undefined ? fix : `remove ${CAP} from ${found.file}, then: ${fix}`;
  return problem(HOST, { about: 'cap', text, fix: undo });
}

function offFindings(all: readonly Settings[]): readonly Finding[] {
  return all
    .filter(({ fields }) => isTrueIn(fields, 'disableAllHooks'))
    .map(({ file }) =>
      problem(HOST, {
        about: 'hooks-off',
        text: `${file} says disableAllHooks: no hook runs`,
        fix: `remove "disableAllHooks" from ${file}`,
      }),
    );
}

function pluginFindings(all: readonly Settings[]): readonly Finding[] {
  const names = all.flatMap(({ fields }) => Object.entries(fieldsOf(fields['enabledPlugins']) ?? {}));
  // The strongest word about a plugin counts.
  const enabled = [...new Map(names.toReversed())].filter(([name, isOn]) => isOn === true && LOOP_PLUGIN.test(name));
  if (enabled.length === 0) return [ok(HOST, { about: 'conflict', text: 'no other loop plugin is enabled' })];
  return enabled.map(([name]) =>
    problem(HOST, {
      about: 'conflict',
      text: `the plugin ${name} keeps agents going too: each would count the turns of the other`,
      fix: `claude plugin disable ${name}`,
    }),
  );
}
