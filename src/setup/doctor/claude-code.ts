import { fieldsOf, isTrueIn } from '../../hosts/fields.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userFolder } from '../settings/installation.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';
import type { Settings } from './read-settings.ts';
import { hooksOffFinding, readSettings } from './read-settings.ts';

const HOST = 'claude-code';
const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
const CAP_DEFAULT = 8;
/** Fewer replies in a row than a loop may well need. */
const CAP_MIN = 1000;
/** Both names under which the official plugin was published. */
const LOOP_PLUGIN = /^ralph-(?:wiggum|loop)@/u;

export function claudeFindings(project: string, world: SetupWorld, fix: string): readonly Finding[] {
  const all = readClaudeSettings(project, world);
  return [capFinding(all, world, fix), ...offFindings(all), ...pluginFindings(all)];
}

/** The strongest first. */
export function readClaudeSettings(project: string, world: SetupWorld): readonly Settings[] {
  const user = userFolder(HOST, world);
  return readSettings([
    `${project}/.claude/settings.local.json`,
    `${project}/.claude/settings.json`,
    `${user}/settings.json`,
  ]);
}

/** What stands in the settings goes before the environment that the client is started with. */
function capFinding(all: readonly Settings[], world: SetupWorld, fix: string): Finding {
  const found = all.find(({ fields }) => fieldsOf(fields['env'])?.[CAP] !== undefined);
  const given = found === undefined ? world.env[CAP] : fieldsOf(found.fields['env'])?.[CAP];
  const where = found?.file ?? (given === undefined ? 'not set' : 'the environment');
  const cap = given === undefined ? CAP_DEFAULT : Number(given);
  if (cap === 0 || cap >= CAP_MIN) return ok(HOST, { about: 'cap', text: `${CAP} is ${cap} (${where})` });
  const shown = Number.isFinite(cap) ? cap : CAP_DEFAULT;
  const text = `after ${shown} replies in a row without a tool Claude Code lets the agent stop, and a loop is handed over (${CAP}: ${where})`;
  const undo = found === undefined ? fix : `remove ${CAP} from ${found.file}, then: ${fix}`;
  return problem(HOST, { about: 'cap', text, fix: undo });
}

function offFindings(all: readonly Settings[]): readonly Finding[] {
  return all
    .filter(({ fields }) => isTrueIn(fields, 'disableAllHooks'))
    .map(({ file }) => hooksOffFinding(HOST, file, 'disableAllHooks'));
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
