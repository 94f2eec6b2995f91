import { isFault } from '../../core/fault.ts';
import type { HostId } from '../../hosts/host.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { examine, recordsFor } from '../../setup/doctor/examine.ts';
import type { Finding } from '../../setup/doctor/finding.ts';
import { findingLines, hasProblem, note, problem, summaryLine } from '../../setup/doctor/finding.ts';
import { homeFindings, leftoverFindings } from '../../setup/doctor/home.ts';
import { installCommand } from '../../setup/doctor/installed.ts';
import { otherLoopFindings } from '../../setup/doctor/other-loops.ts';
import { hasPlugin } from '../../setup/doctor/plugin.ts';
import { programOf } from '../../setup/doctor/program.ts';
import { EXIT } from '../exit-codes.ts';
import { toggle } from '../flags.ts';
import { say, sayJson } from '../io.ts';
import { projectDirectory } from '../project.ts';
import type { World } from '../services.ts';
import { hostsFound, hostsNamed } from '../../setup/settings/asked-hosts.ts';

const FLAGS = {
  'no-start': toggle('only look: do not start any agent'),
  json: toggle('one JSON object'),
} as const;

export const doctor: Command = command({
  page: {
    name: 'doctor',
    synopsis: ['tireless doctor [HOST]… [--no-start] [--json]'],
    about: [
      'Find out whether loops will work in your agents, and what is in the way. Without a HOST: every agent that is found on this machine.',
      'Each is looked at (version, hooks, the files they start, trust, caps, time limits, other loops), and then started once, without a screen',
      'and without a network, against a model that is built in: only when its stop comes in at tireless is it said to work. No key of yours is',
      'used, no setting is changed, and nothing of it stays.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless doctor', 'tireless doctor claude-code codex', 'tireless doctor --no-start --json'],
    notes: [
      `HOST is one of ${HOST_IDS.join(', ')}.`,
      'Exit codes: 0 all is well · 1 problems were found · 2 wrong usage',
    ],
  },
  flags: FLAGS,
  run: async ({ words, values: flags }, world) => {
    const findings: Finding[] = [...homeFindings(world), ...(await leftoverFindings(world))];
    const hosts = words.length === 0 ? hostsHere(findings, world, flags.json) : hostsNamed(words);
    const project = projectDirectory(undefined, world.cwd);
    for (const host of hosts) {
      const seen = await examine(host, project, world);
      findings.push(...seen, ...(flags['no-start'] ? [] : await proofOf(host, seen, { project, world })));
    }
    findings.push(...(await otherLoopFindings(hosts, project, world)));
    if (flags.json) sayJson(world.stdout, { ok: !hasProblem(findings), findings });
    else say(world.stdout, ...findingLines(findings), summaryLine(findings));
    return hasProblem(findings) ? EXIT.fault : EXIT.ok;
  },
});

/** What was found about tireless itself is told also where there is no agent. */
function hostsHere(findings: readonly Finding[], world: World, isJson: boolean): readonly HostId[] {
  try {
    return hostsFound(world, 'doctor');
  } catch (error) {
    if (!isJson) say(world.stdout, ...findingLines(findings));
    throw error;
  }
}

/** What cannot work is not started: the reason stands there already. */
async function proofOf(
  host: HostId,
  seen: readonly Finding[],
  { project, world }: { readonly project: string; readonly world: World },
): Promise<readonly Finding[]> {
  const program = programOf(host, world);
  const isSetUp = !seen.some(
    ({ about, status }) => status === 'problem' && (about === 'program' || about === 'installed'),
  );
  if (program === undefined || !isSetUp) return [];
  const records = recordsFor(host, project, world);
  const native = records.filter((record) => record.native);
  const isPlugin = native.length === 0 && hasPlugin(host, project, world);
  if (native.length === 0 && !isPlugin)
    return [note(host, { about: 'fires', text: 'not started: only state files of other tools are enabled here' })];
  const cwd = isPlugin || native.some(({ scope }) => scope === 'user') ? null : project;
  const { folderTrust } = HOSTS[host].install;
  const { tryOut } = await import('../../setup/doctor/trial.ts');
  const fix = seen.some(({ status }) => status === 'problem')
    ? 'mend the problems above, and run this again'
    : isPlugin
      ? 'allow the hooks of the plugin in the host (Codex: /hooks), or install it again'
      : cwd !== null && folderTrust !== undefined
        ? `${folderTrust}; else: ${installCommand(host, native)}`
        : installCommand(host, native);
  try {
    return [await tryOut({ host, program, cwd, fix }, world)];
  } catch (error) {
    // Whatever is in the way of this one loop will be in the way of others.
    if (!isFault(error)) throw error;
    return [
      problem(host, {
        about: 'fires',
        text: `no loop could be started: ${error.message}`,
        fix: 'do what it says, and run this again',
      }),
    ];
  }
}
