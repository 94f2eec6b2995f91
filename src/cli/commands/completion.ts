import { Fault } from '../../core/fault.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import type { CompletedCommand, Shell } from '../../views/completion-script.ts';
import { completionScript, SHELLS } from '../../views/completion-script.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import type { HelpPage } from '../help-page.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';

export const completion: Command = command({
  page: {
    name: 'completion',
    synopsis: [`tireless completion ${SHELLS.join('|')}`],
    about: ['Prints a completion script for your shell. Load it when the shell starts.'],
    flags: {},
    examples: [
      'echo \'eval "$(tireless completion bash)"\' >> ~/.bashrc',
      'echo \'eval "$(tireless completion zsh)"\' >> ~/.zshrc     (after compinit)',
      'tireless completion fish > ~/.config/fish/completions/tireless.fish',
    ],
    notes: PLAIN_EXIT_CODES,
  },
  flags: {},
  run: async ({ words }, world) => {
    const shell = SHELLS.find((each) => each === words[0]);
    if (shell === undefined || words.length > 1)
      throw new Fault('USAGE', `Name one shell: tireless completion ${SHELLS.join('|')}.`);
    world.stdout.write(await scriptFor(shell));
    return 0;
  },
});

async function scriptFor(shell: Shell): Promise<string> {
  const commands = Object.entries(COMMANDS).map(async ([name, { summary, load }]): Promise<CompletedCommand> => {
    const { page } = await load();
    const flags = Object.values(page.flags).flatMap((table) =>
      Object.entries(table).map(([flag, { help, placeholder, choices = [] }]) => ({
        name: flag,
        help,
        takesValue: placeholder !== null,
        choices,
      })),
    );
    return { name, summary, words: wordsAfter(page), flags };
  });
  return completionScript(shell, await Promise.all(commands));
}

/** The synopsis shows what a command accepts. */
function wordsAfter({ name, synopsis }: HelpPage): readonly string[] {
  const [usage = ''] = synopsis;
  if (name === 'completion') return SHELLS;
  if (/\bHOST\b/.test(usage)) return HOST_IDS;
  return /\[LOOP\b/.test(usage) ? ['last'] : [];
}
