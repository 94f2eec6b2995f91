import type { TypedCommand } from '../core/event.ts';
import { TYPED_COMMANDS } from '../core/event.ts';
import { COMMAND_MARK } from './command-mark.ts';
import type { SettingsEdit } from './setup.ts';
import { OTHER_NAME } from './typed-command.ts';

type About = { readonly description: string; readonly hint: string | null };

const ABOUT: Readonly<Record<TypedCommand, About>> = {
  ralph: {
    description: 'Keep going until the work is proven done (tireless)',
    hint: '"goal" [--check CMD] [--max-iterations N]',
  },
  'cancel-ralph': { description: 'End the loop of this session (tireless)', hint: null },
  'ralph-status': { description: 'Show the loop of this session (tireless)', hint: null },
  'ralph-approve': { description: 'Approve what the loop of this session waits for (tireless)', hint: null },
  'ralph-reject': { description: 'Reject it and say what is missing (tireless)', hint: 'what is missing' },
  'ralph-help': { description: 'How to use /ralph (tireless)', hint: null },
};

/**
 * For the agent: if no hook ran (not trusted, switched off, missing), it would treat the command as a task, and the user would believe that
 * a loop is running.
 */
function answeredByHook(name: TypedCommand): string {
  const [what, without] =
    name === 'ralph' ? [', with a goal and how to work on it in a loop', 'such a goal'] : ['', 'an answer of tireless'];
  return `${COMMAND_MARK} The hook of tireless answers this command${what}. If this text comes without ${without}, tell the user that the hook did not run and that "tireless doctor" shows why, and do nothing else.`;
}

type CommandFile = { readonly file: string; readonly text: string };

/** Under its own name, and under another one for users who already have a command of that name. */
function commandEdit(name: TypedCommand, sign: '/' | '$', fileFor: (called: string) => CommandFile): SettingsEdit {
  const other = `${OTHER_NAME}${name}`;
  return {
    kind: 'own-file',
    ...fileFor(name),
    why: `adds ${sign}${name}`,
    instead: { ...fileFor(other), name, typed: `${sign}${other}` },
  };
}

/**
 * Files that make `/ralph` known to a host. `args`: the host's placeholder for the text after the command; the prompt is then the command
 * itself, for a hook that reads prompts. `null` = the host reports the command to the hook.
 */
export function markdownCommands(folder: string, args: string | null): readonly SettingsEdit[] {
  return TYPED_COMMANDS.map((name) =>
    commandEdit(name, '/', (called) => ({
      file: `${folder}/${called}.md`,
      text: [
        '---',
        `description: ${ABOUT[name].description}`,
        ...(ABOUT[name].hint === null ? [] : [`argument-hint: '${ABOUT[name].hint}'`]),
        ...(args === null ? ['disable-model-invocation: true'] : []),
        '---',
        '',
        ...(args === null ? [] : [`/${called} ${args}`, '']),
        answeredByHook(name),
        '',
      ].join('\n'),
    })),
  );
}

/** One folder each, for hosts whose commands are skills. They are not offered to the model. `otherFiles`: more files in each folder. */
export function skillCommands(
  folder: string,
  sign: '/' | '$',
  otherFiles: Readonly<Record<string, string>> = {},
): readonly SettingsEdit[] {
  return TYPED_COMMANDS.flatMap((name) => {
    const textOf = (called: string): string =>
      [
        '---',
        `name: ${called}`,
        `description: ${ABOUT[name].description}`,
        'user-invocable: true',
        'disable-model-invocation: true',
        '---',
        '',
        answeredByHook(name),
        '',
      ].join('\n');
    const skill = commandEdit(name, sign, (called) => ({ file: `${folder}/${called}/SKILL.md`, text: textOf(called) }));
    const others = Object.entries(otherFiles).map(([file, text]) =>
      commandEdit(name, sign, (called) => ({ file: `${folder}/${called}/${file}`, text })),
    );
    return [skill, ...others];
  });
}

/** Without `{{args}}`, which Gemini CLI fills with the words separated by single spaces, it appends the line exactly as typed. */
export function tomlCommands(folder: string): readonly SettingsEdit[] {
  return TYPED_COMMANDS.map((name) =>
    commandEdit(name, '/', (called) => ({
      file: `${folder}/${called}.toml`,
      text: `description = ${JSON.stringify(ABOUT[name].description)}\nprompt = ${JSON.stringify(`/${called}\n\n${answeredByHook(name)}`)}\n`,
    })),
  );
}
