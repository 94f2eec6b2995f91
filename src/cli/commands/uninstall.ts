import { Fault, isFault } from '../../core/fault.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { text, toggle } from '../flags.ts';
import { EXIT } from '../exit-codes.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { parseDialect } from '../parse-dialect.ts';
import { projectDirectory } from '../../system/project.ts';
import type { World } from '../services.ts';
import { parseHosts } from '../../setup/settings/choose-hosts.ts';
import type { InstalledPart } from '../../setup/settings/installed-part.ts';
import { findInstalled, removeInstalled } from '../../setup/settings/installed-part.ts';
import { undoLines } from '../../setup/settings/plan-lines.ts';
import { findDialect } from '../../setup/settings/remove-dialect.ts';
import type { UndoPlan } from '../../setup/settings/undo-plan.ts';

const FLAGS = {
  user: toggle('only what was installed for your user'),
  project: toggle('only what was installed for this project'),
  dialect: text('NAME', 'only stop handling the state file of this tool in this project'),
  'dry-run': toggle('show what would be removed, and change nothing'),
  yes: toggle('accepted as with install; uninstall never asks'),
} as const;

export const uninstall: Command = command({
  page: {
    name: 'uninstall',
    synopsis: ['tireless uninstall [HOST]… [--user | --project] [--dialect NAME] [--yes | --dry-run]'],
    about: [
      'Remove what "tireless install" wrote. A file that nobody changed since is restored byte for byte; in a changed file, only the',
      'entries of tireless are removed. Files of tireless that you changed are kept and reported. Without HOST: everything that was installed.',
      'Loops and their journals are not touched.',
    ],
    flags: { Options: FLAGS },
    examples: [
      'tireless uninstall',
      'tireless uninstall codex',
      'tireless uninstall claude-code --project --dry-run',
      'tireless uninstall --dialect stravinsky',
    ],
    notes: [`HOST is one of ${HOST_IDS.join(', ')}.`, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  isForPeople: true,
  run: async ({ words, values: flags }, world) => {
    if (flags.user && flags.project) throw new Fault('USAGE', 'Give --user or --project, or neither of them for both.');
    const hosts = parseHosts(words);
    if (flags.dialect !== undefined) return removeDialect(flags.dialect, hosts, flags, world);
    const { user, project } = flags;
    const parts = findInstalled({ hosts, user, project, cwd: projectDirectory(undefined, world.cwd) }, world);
    if (parts.length === 0) {
      say(world.stdout, 'Nothing to remove: tireless is not installed.');
      return 0;
    }
    // Planned before anything is written: if one part cannot be read or changed, all of them stay as they are.
    const plans = parts.map((part) => [part, part.plan()] as const);
    if (flags['dry-run']) {
      for (const [part, undone] of plans) printPart(world, part, undone);
      say(world.stdout, 'Nothing was changed (--dry-run).');
      return 0;
    }
    removeInstalled(parts, world.services.home(), (part, undone) => printPart(world, part, undone));
    say(world.stdout, ...(await unwatchedLines(parts, world)));
    return 0;
  },
});

/** Everything else installed in this project stays. If the project has no native loops, removing its last dialect removes the rest too. */
function removeDialect(
  given: string,
  hosts: readonly HostId[],
  flags: { readonly user: boolean; readonly 'dry-run': boolean },
  world: World,
): number {
  const dialect = parseDialect(given);
  if (flags.user)
    throw new Fault('USAGE', 'A dialect is enabled for one project: leave --user out, and run it in that project.');
  const removals = findDialect(dialect, { hosts, project: projectDirectory(undefined, world.cwd) }, world);
  if (removals.length === 0) {
    say(world.stdout, `Nothing to remove: ${dialect} is not enabled in this project.`);
    return EXIT.ok;
  }
  for (const { host, lines, apply } of removals) {
    if (!flags['dry-run']) apply();
    say(world.stdout, `${host}, ${dialect} in this project:`, ...lines);
  }
  if (flags['dry-run']) say(world.stdout, 'Nothing was changed (--dry-run).');
  return EXIT.ok;
}

/** The loop stays open, but from now on its agent may stop. Whoever removes the hooks of a running loop has to know. */
async function unwatchedLines(parts: readonly InstalledPart[], world: World): Promise<readonly string[]> {
  const { hasHooks } = await import('../../setup/doctor/has-hooks.ts');
  try {
    return (await world.services.store())
      .list({ ended: false })
      .flatMap(({ state: { loop, session, cwd } }) =>
        session === null || !parts.some(({ host }) => host === session.host) || hasHooks(session, cwd, world)
          ? []
          : [
              `Loop ${loop} is still open in a session of ${session.host}, and its stops are no longer judged. End it with "tireless cancel ${loop}", or continue outside the session: "tireless resume ${loop} --agent ${session.host}".`,
            ],
      );
  } catch (error) {
    // Problems with a loop are not reported here: the hooks have been removed.
    if (isFault(error)) return [];
    throw error;
  }
}

function printPart({ stdout }: World, { host, where }: InstalledPart, undone: readonly UndoPlan[]): void {
  const notes = undone.flatMap((each) => each.notes.map((note) => `  ${note}`));
  say(stdout, `${host}, ${where}:`, ...undoLines(undone), ...notes);
}
