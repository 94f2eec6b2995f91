import { Fault, isFault } from '../../core/fault.ts';
import type { HostId } from '../../hosts/host.ts';
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
import { parseHosts } from '../../setup/settings/choose-hosts.ts';
import { ourEntryTest } from '../../setup/settings/host-plan.ts';
import { writeEach, partialFault } from '../../setup/settings/write-each.ts';
import { findUnrecordedFiles } from '../../setup/settings/unrecorded-files.ts';
import { undoLines } from '../../setup/settings/plan-lines.ts';
import type { InstallRecord } from '../../setup/settings/install-record.ts';
import { allRecords, removeRecord } from '../../setup/settings/install-record.ts';
import type { UndoPlan } from '../../setup/settings/undo-plan.ts';
import { planUndo } from '../../setup/settings/undo-plan.ts';
import { applyUndo } from '../../setup/settings/apply-plan.ts';

const FLAGS = {
  user: toggle('only what was installed for your user'),
  project: toggle('only what was installed for this project'),
  'dry-run': toggle('show what would be taken out, and change nothing'),
  yes: toggle('as with install; nothing is asked here'),
} as const;

type UninstallFlags = Values<typeof FLAGS>;

export const uninstall: Command = command({
  page: {
    name: 'uninstall',
    synopsis: ['tireless uninstall [HOST]… [--user | --project] [--yes | --dry-run]'],
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
    const hosts = parseHosts(words);
    const home = world.services.home();
    const project = projectDirectory(undefined, world.cwd);
    const records = allRecords(home).filter(
      (record) => (hosts.length === 0 || hosts.includes(record.host)) && isSelected(record, flags, project),
    );
    // The newest scope first: what comes with a loop was put in last.
    const parts = [
      ...records.toSorted((a, b) => a.scope.localeCompare(b.scope)).map((record) => recordedPart(record, home)),
      ...hosts
        .filter((id) => !records.some((record) => record.host === id))
        .map((host) =>
          unrecordedPart(host, () => findUnrecordedFiles(host, { flags, project, program: thisProgram() }, world)),
        )
        .filter(({ look }) => look().length > 0),
    ];
    if (parts.length === 0) {
      say(world.stdout, 'Nothing to take out: nothing of tireless was found.');
      return 0;
    }
    // Before anything is written: what cannot be read or changed leaves all of them as they are.
    const looks = parts.map((part) => [part, part.look()] as const);
    if (flags['dry-run']) {
      for (const [part, undone] of looks) printPart(world, part, undone);
      say(world.stdout, 'Nothing was changed (--dry-run).');
      return 0;
    }
    removeParts(parts, world);
    say(world.stdout, ...(await unwatchedLines(parts, world)));
    return 0;
  },
});

/** What one install wrote. */
type InstalledPart = {
  readonly host: HostId;
  readonly record: InstallRecord | null;
  readonly where: string;
  readonly look: () => readonly UndoPlan[];
};

function recordedPart(record: InstallRecord, home: string): InstalledPart {
  const look = (): readonly UndoPlan[] =>
    record.files.toReversed().map((file) => planUndo(file, ourEntryTest(record, home)));
  return { host: record.host, record, where: scopeWords(record), look };
}

function unrecordedPart(host: HostId, look: () => readonly UndoPlan[]): InstalledPart {
  return { host, record: null, where: 'by the text of its entries (there is no record of an install)', look };
}

function removeParts(parts: readonly InstalledPart[], world: World): void {
  const { done, left, fault } = writeEach(parts, (part) => {
    // Once more: two of them may be about one file.
    const undone = part.look();
    applyUndo(undone);
    printPart(world, part, undone);
  });
  // A home that cannot be written to must not keep the hooks in the settings: they are out by now, and that was said.
  for (const { record } of done) if (record !== null) removeRecord(world.services.home(), record);
  if (fault === null) return;
  const names = (some: readonly InstalledPart[]): readonly string[] =>
    some.map(({ host, where }) => `${host} ${where}`);
  const hosts = left.map(({ host }) => host);
  throw partialFault(fault, { word: 'taken out', done: names(done), left: names(left), hosts });
}

/** A loop stays open, and its agent may stop from now on: whoever took the hooks out in the middle of one has to know. */
async function unwatchedLines(parts: readonly InstalledPart[], world: World): Promise<readonly string[]> {
  const { hasHooks } = await import('../../setup/doctor/has-hooks.ts');
  try {
    return (await world.services.store())
      .list({ ended: false })
      .flatMap(({ state: { loop, session, cwd } }) =>
        session === null || !parts.some(({ host }) => host === session.host) || hasHooks(session, cwd, world)
          ? []
          : [
              `Loop ${loop} is still open in a session of ${session.host}, and its stops are not looked at any more. End it with "tireless cancel ${loop}", or go on outside of the session: "tireless resume ${loop} --agent ${session.host}".`,
            ],
      );
  } catch (error) {
    // What is wrong with a loop is not said here: the hooks are out.
    if (isFault(error)) return [];
    throw error;
  }
}

function printPart({ stdout }: World, { host, where }: InstalledPart, undone: readonly UndoPlan[]): void {
  const notes = undone.flatMap((each) => each.notes.map((note) => `  ${note}`));
  say(stdout, `${host}, ${where}:`, ...undoLines(undone), ...notes);
}

function scopeWords({ scope, project }: InstallRecord): string {
  if (scope === 'user') return 'for your user';
  return scope === 'project' ? `for the project ${project ?? ''}` : `with the loops of ${project ?? ''}`;
}

function isSelected(record: InstallRecord, { user, project }: UninstallFlags, here: string): boolean {
  if (user) return record.scope === 'user';
  return !project || record.project === here;
}
