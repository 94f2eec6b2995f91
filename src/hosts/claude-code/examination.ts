import type { ExaminationLook, HostExamination, HostFinding, Settings } from '../examination.ts';
import { hasOurPlugin, hooksForbidden, hooksOff } from '../examination.ts';
import { fieldsOf, isTrueIn } from '../fields.ts';

const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
const CAP_DEFAULT = 8;
/** Below this, a loop may need more replies in a row. */
const CAP_MIN = 1000;
/** Both names under which the official plugin was published. */
const LOOP_PLUGIN = /^ralph-(?:wiggum|loop)@/u;

export const examination: HostExamination = {
  findings: (look) => {
    const all = settingsOf(look);
    const locked = hasPluginIn(all) ? [] : lockedFindings(look);
    return [capFinding(all, look), ...offFindings(all), ...managedFindings(look), ...locked, ...pluginFindings(all)];
  },
  hasPlugin: (look) => hasPluginIn(settingsOf(look)),
  hasOwnHooks: (look) =>
    settingsOf(look).some(({ fields }) => JSON.stringify(fields['hooks'] ?? '').includes('tireless')),
  pluginRemoval: 'claude plugin uninstall tireless@tireless',
  pluginFix: `put "env": { "${CAP}": "10000" } into your settings: a plugin cannot`,
};

/** Highest precedence first. */
function settingsOf({ project, userFolder, readJson }: ExaminationLook): readonly Settings[] {
  return readJson([
    `${project}/.claude/settings.local.json`,
    `${project}/.claude/settings.json`,
    `${userFolder}/settings.json`,
  ]);
}

/** The settings override the environment that the client is started with. */
function capFinding(
  all: readonly Settings[],
  { variables, fix }: Pick<ExaminationLook, 'variables'> & { readonly fix: string },
): HostFinding {
  const found = all.find(({ fields }) => fieldsOf(fields['env'])?.[CAP] !== undefined);
  const given = found === undefined ? variables[CAP] : fieldsOf(found.fields['env'])?.[CAP];
  const where = found?.file ?? (given === undefined ? 'not set' : 'the environment');
  const cap = given === undefined ? CAP_DEFAULT : Number(given);
  if (cap === 0 || cap >= CAP_MIN) return { about: 'cap', status: 'ok', text: `${CAP} is ${cap} (${where})` };
  const shown = Number.isFinite(cap) ? cap : CAP_DEFAULT;
  const text = `after ${shown} replies in a row without a tool call, Claude Code lets the agent stop, and a loop is handed over (${CAP}: ${where})`;
  const undo = found === undefined ? fix : `remove ${CAP} from ${found.file}, then: ${fix}`;
  return { about: 'cap', status: 'problem', text, fix: undo };
}

function offFindings(all: readonly Settings[]): readonly HostFinding[] {
  return all
    .filter(({ fields }) => isTrueIn(fields, 'disableAllHooks'))
    .map(({ file }) => hooksOff(file, 'disableAllHooks'));
}

/** Variables that turn off every hook, as --bare and similar options do for one start. */
const OFF_VARIABLES = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'] as const;

function managedFindings({ variables, managedSettings }: ExaminationLook): readonly HostFinding[] {
  const forbidden = managedSettings('claude-code').flatMap(({ file, fields }) =>
    ['allowManagedHooksOnly', 'disableAllHooks']
      .filter((setting) => isTrueIn(fields, setting))
      .map((setting) => hooksForbidden(file, setting, 'claude-code')),
  );
  const off = OFF_VARIABLES.filter((name) => ['1', 'true'].includes(variables[name] ?? ''));
  return [
    ...forbidden,
    ...off.map((name): HostFinding => ({
      about: 'hooks-off',
      status: 'problem',
      text: `${name} is set: Claude Code runs no hook`,
      fix: `unset ${name}`,
    })),
  ];
}

/** The administrator lets only plugins add hooks: of all things, or of those in a list. */
function lockedFindings({ managedSettings }: ExaminationLook): readonly HostFinding[] {
  return managedSettings('claude-code').flatMap(({ file, fields }): readonly HostFinding[] => {
    const locked = fields['strictPluginOnlyCustomization'];
    if (locked !== true && !(Array.isArray(locked) && locked.includes('hooks'))) return [];
    return [
      {
        about: 'hooks-off',
        status: 'problem',
        text: `${file}, which manages this machine, sets strictPluginOnlyCustomization: only the hooks of plugins run`,
        fix: 'install the plugin of tireless instead: claude plugin marketplace add "$(npm root -g)/tireless/plugins/claude-code" && claude plugin install tireless@tireless',
      },
    ];
  });
}

function hasPluginIn(all: readonly Settings[]): boolean {
  return all.some(({ fields }) => hasOurPlugin(fieldsOf(fields['enabledPlugins']), (isOn) => isOn === true));
}

function pluginFindings(all: readonly Settings[]): readonly HostFinding[] {
  const names = all.flatMap(({ fields }) => Object.entries(fieldsOf(fields['enabledPlugins']) ?? {}));
  // The setting with the highest precedence counts.
  const enabled = [...new Map(names.toReversed())].filter(([name, isOn]) => isOn === true && LOOP_PLUGIN.test(name));
  if (enabled.length === 0) return [{ about: 'conflict', status: 'ok', text: 'no other loop plugin is enabled' }];
  return enabled.map(([name]) => ({
    about: 'conflict',
    status: 'problem',
    text: `the plugin ${name} also keeps agents going: each would count the other's turns`,
    fix: `claude plugin disable ${name}`,
  }));
}
