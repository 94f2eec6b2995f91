import { Fault } from '../../core/fault.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import { thisProgram } from '../../system/settings-files.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import type { Values } from '../flags.ts';
import { toggle } from '../flags.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { projectDirectory } from '../project.ts';
import type { World } from '../services.ts';
import { hostsNamed } from '../settings/asked-hosts.ts';
import { oursFor } from '../settings/host-plan.ts';
import { lostFiles } from '../settings/lost-record.ts';
import { undoneLines } from '../settings/plan-lines.ts';
import type { InstallRecord } from '../settings/record.ts';
import { allRecords } from '../settings/record.ts';
import type { Undone } from '../settings/undo-file.ts';
import { undoFile } from '../settings/undo-file.ts';
import { changed, put, removeFolders, writeUndone } from '../settings/write-files.ts';

const FLAGS = {
  user: toggle('only what was installed for your user'),
  project: toggle('only what was installed for this project'),
  'dry-run': toggle('show what would be taken out, and change nothing'),
} as const;

type UninstallFlags = Values<typeof FLAGS>;

export const uninstall: Command = command({
  page: {
    name: 'uninstall',
    synopsis: ['tireless uninstall [HOST]… [--user | --project] [--dry-run]'],
    about: [
      'Take out what "tireless install" wrote. A file that nobody changed since comes back byte for byte; of one that was changed only the',
      'entries of tireless go. Files of our own that you changed are kept, and said. Without a HOST: everything that was installed.',
      'Loops and their journals are not touched.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless uninstall', 'tireless uninstall codex', 'tireless uninstall claude-code --project --dry-run'],
    notes: [`HOST is one of ${HOST_IDS.join(', ')}.`, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values: flags }, world) => {
    if (flags.user && flags.project) throw new Fault('USAGE', 'Give --user or --project, or neither of them for both.');
    const hosts = hostsNamed(words);
    const home = world.services.home();
    const project = projectDirectory(undefined, world.cwd);
    const records = allRecords(home).filter(
      (record) => (hosts.length === 0 || hosts.includes(record.host)) && isAsked(record, flags, project),
    );
    let isAny = false;
    // The newest scope first: what comes with a loop was put in last.
    for (const record of records.toSorted((a, b) => a.scope.localeCompare(b.scope))) {
      const undone = record.files.toReversed().map((file) => undoFile(file, oursFor(record, home)));
      tell(world, `${record.host}, ${scopeWords(record)}:`, undone);
      if (!flags['dry-run']) writeUndone(home, record, undone);
      isAny = true;
    }
    for (const host of hosts.filter((id) => !records.some((record) => record.host === id))) {
      const lost = lostFiles(host, { flags, project, program: thisProgram() }, world);
      if (lost.length === 0) continue;
      tell(world, `${host}, by the text of its entries (there is no record of an install):`, lost);
      if (!flags['dry-run']) undo(lost);
      isAny = true;
    }
    if (!isAny) say(world.stdout, 'Nothing to take out: nothing of tireless was found.');
    else if (flags['dry-run']) say(world.stdout, 'Nothing was changed (--dry-run).');
    return 0;
  },
});

function undo(lost: readonly Undone[]): void {
  for (const { file, after } of changed(lost)) put(file, after);
  removeFolders(lost);
}

function tell(world: World, title: string, undone: readonly Undone[]): void {
  say(world.stdout, title, ...undoneLines(undone), ...undone.flatMap(({ notes }) => notes.map((note) => `  ${note}`)));
}

function scopeWords({ scope, project }: InstallRecord): string {
  if (scope === 'user') return 'for your user';
  return scope === 'project' ? `for the project ${project ?? ''}` : `with the loops of ${project ?? ''}`;
}

function isAsked(record: InstallRecord, { user, project }: UninstallFlags, here: string): boolean {
  if (user) return record.scope === 'user';
  return !project || record.project === here;
}
