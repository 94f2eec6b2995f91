import { DIALECT_NAMES } from '../../dialects/names.ts';
import { Fault } from '../../core/fault.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { thisProgram } from '../../system/settings-files.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { APPROVAL_FLAGS, DAY_FLAGS, hookWordsOf, refuseApproval } from '../dialect-hook-flags.ts';
import { EXIT } from '../exit-codes.ts';
import type { Values } from '../flags.ts';
import { text, toggle } from '../flags.ts';
import { rowsFor, say, sayJson } from '../io.ts';
import { AGENT_FLAGS } from '../loop-flags.ts';
import { parseDialect } from '../parse-dialect.ts';
import { projectDirectory } from '../../system/project.ts';
import type { World } from '../services.ts';
import { absentLines, showPlan } from '../show-plan.ts';
import type { Confirmer } from '../../setup/settings/confirm.ts';
import { canConfirm, openConfirmer } from '../../setup/settings/confirm.ts';
import { detectHosts, parseHosts } from '../../setup/settings/choose-hosts.ts';
import type { HostPlan } from '../../setup/settings/host-plan.ts';
import { planHost } from '../../setup/settings/host-plan.ts';
import { writeEach, partialFault } from '../../setup/settings/write-each.ts';
import { writeLaunchFile } from '../../setup/settings/launch-file.ts';
import { HOOK_TIMEOUT_SECONDS, installationFor, setupPlaceFor } from '../../setup/settings/installation.ts';
import { plannedFiles } from '../../setup/settings/plan-diff.ts';
import { hasChanges, noteLines } from '../../setup/settings/plan-lines.ts';
import { applyPlan } from '../../setup/settings/apply-plan.ts';
import { limitDurationText } from '../../views/duration.ts';

const WHERE_FLAGS = {
  user: toggle('for all your projects (the default)'),
  project: toggle('for this project only'),
} as const;
const WHAT_FLAGS = {
  dialect: text('NAME', `also handle the state file of ${DIALECT_NAMES.join(', ')} in this project`),
  'iteration-timeout': {
    ...AGENT_FLAGS['iteration-timeout'],
    help: 'with --dialect: how long one iteration may take before its tools are refused (default: no limit)',
  },
  ...DAY_FLAGS,
  'on-demand': toggle('claude-code only: install the stop hook only while a loop is armed'),
  trust: toggle('codex: also mark the hooks of tireless as trusted'),
} as const;
const HOW_FLAGS = {
  yes: toggle('do not ask'),
  'dry-run': toggle('show what would be written, and write nothing'),
  json: toggle('one JSON object, with the diff of each file; with --yes or --dry-run'),
} as const;
const FLAGS = { ...WHERE_FLAGS, ...WHAT_FLAGS, ...APPROVAL_FLAGS, ...HOW_FLAGS } as const;

type InstallFlags = Values<typeof FLAGS>;

export const install: Command = command({
  page: {
    name: 'install',
    synopsis: ['tireless install [HOST]… [--user | --project] [--yes | --dry-run] [--json] [options]'],
    about: [
      'Set up agents so that their own stop hook calls tireless, and add /ralph to them. Without HOST: every agent found on',
      'this machine. You see the exact diff of each file before anything is written; nothing else in these files is touched, and',
      '"tireless uninstall" restores them byte for byte. Installing twice changes nothing; after updating tireless, install again.',
      'With --dialect, tireless also handles loops in the state file of another tool, in this project. Without it, such files are ignored.',
    ],
    flags: {
      Where: WHERE_FLAGS,
      What: WHAT_FLAGS,
      'Approval by a person (--dialect ralph-wiggum)': APPROVAL_FLAGS,
      How: HOW_FLAGS,
    },
    examples: [
      'tireless install',
      'tireless install claude-code codex --yes',
      'tireless install claude-code --project --dry-run',
      'tireless install claude-code --dialect stravinsky',
    ],
    notes: [
      `HOST is one of ${HOST_IDS.join(', ')}.`,
      'Exit codes: 0 done · 1 a fault, you said no, or hooks are switched off · 2 wrong usage, or no terminal to ask at',
    ],
  },
  flags: FLAGS,
  isForPeople: true,
  run: async ({ words, values: flags }, world) => {
    refuseOddFlags(words, flags);
    const project = projectDirectory(undefined, world.cwd);
    const confirmer = openConfirmer(world);
    try {
      const plans = await planInstall(words, flags, { world, confirmer, project });
      return await applyPlans(plans, flags, { world, confirmer, project });
    } finally {
      await confirmer.close();
    }
  },
});

type InstallContext = { readonly world: World; readonly project: string };
type Dialogue = InstallContext & { readonly confirmer: Confirmer };

/** One plan per host, in their order: each includes what the earlier ones will write. */
async function planInstall(
  words: readonly string[],
  flags: InstallFlags,
  { world, confirmer, project }: Dialogue,
): Promise<readonly HostPlan[]> {
  const hookWords = hookWordsOf(flags);
  const program = thisProgram();
  const mayConfirm = canConfirm(world) && !flags.yes && !flags['dry-run'] && !flags.json;
  const plans: HostPlan[] = [];
  for (const host of words.length === 0 ? detectHosts(world, 'install') : parseHosts(words)) {
    if (flags.dialect !== undefined) requireDialect(host);
    const request = {
      host,
      project,
      scope: flags.project ? ('project' as const) : ('user' as const),
      dialect: flags.dialect === undefined ? undefined : parseDialect(flags.dialect),
      onDemand: flags['on-demand'],
      trust: flags.trust,
      iterationTimeoutMs: flags['iteration-timeout'],
      hookWords,
    };
    const installation = installationFor(request, world.services.home());
    const confirmsTrust = HOSTS[host].install.trust !== undefined && !installation.trust && mayConfirm;
    const trust = installation.trust || (confirmsTrust && (await confirmer.confirm(trustQuestion(host, world))));
    const trusted = { ...installation, trust };
    plans.push(planHost(trusted, setupPlaceFor(trusted, world, program), plans));
  }
  return plans;
}

function trustQuestion(host: HostId, { stdout }: World): string {
  return rowsFor(
    stdout,
    `${host} runs only hooks that you trust. May tireless mark its own hooks as trusted in the settings of ${host}?`,
  ).trimEnd();
}

async function applyPlans(
  plans: readonly HostPlan[],
  flags: InstallFlags,
  { world, confirmer, project }: Dialogue,
): Promise<number> {
  const { stdout, stderr } = world;
  if (flags.json) return applyAsJson(plans, flags, { world, project });
  const after = await afterInstall();
  const notes = (plan: HostPlan): readonly string[] =>
    after.notesAfterInstall(plan, project, world).map((line) => `  ${hostOf(plan)}: ${line}`);
  for (const plan of plans) showPlan(plan, world);
  const todo = plans.filter(hasChanges);
  if (todo.length === 0) {
    for (const plan of plans) applyPlan(world.services.home(), plan);
    const off = after.hostsWithoutHooks(plans.map(hostOf), project, world);
    say(stdout, `Nothing to change: everything is in place${switchedOffSuffix(off)}`, ...plans.flatMap(notes));
    return off.length === 0 ? EXIT.ok : EXIT.fault;
  }
  if (flags['dry-run']) {
    say(stdout, 'Nothing was written (--dry-run).');
    return EXIT.ok;
  }
  if (!flags.yes && !canConfirm(world)) {
    say(
      stderr,
      'tireless: nothing was written: there is no terminal to ask at. Add --yes to continue, or --dry-run to only look.',
    );
    return EXIT.usage;
  }
  if (!flags.yes && !(await confirmer.confirm('Write this?'))) {
    say(stdout, 'Nothing was written.');
    return EXIT.fault;
  }
  const { done, left, fault } = writeEach(plans, (plan) => applyPlan(world.services.home(), plan));
  if (done.length > 0) writeLaunchFile(world.services.home());
  const off = after.hostsWithoutHooks(done.map(hostOf), project, world);
  if (done.length > 0) {
    const verb = off.length === 0 ? 'Installed' : 'Written';
    const next = flags.dialect === undefined && off.length === 0 ? after.nextSteps(done, project) : [];
    say(stdout, `${verb} for ${done.map(hostOf).join(', ')}${switchedOffSuffix(off)}`, ...done.flatMap(notes), ...next);
  }
  if (fault === null) return off.length === 0 ? EXIT.ok : EXIT.fault;
  const not = left.filter(hasChanges).map(hostOf);
  throw partialFault(fault, { word: 'installed', done: done.map(hostOf), left: not, hosts: not });
}

/** Asks no questions, and prints one value: what was written, or would be. */
async function applyAsJson(
  plans: readonly HostPlan[],
  flags: InstallFlags,
  { world, project }: InstallContext,
): Promise<number> {
  const { hostsWithoutHooks, notesAfterInstall } = await afterInstall();
  const { done, left, fault } = flags['dry-run']
    ? { done: [], left: [], fault: null }
    : writeEach(plans, (plan) => applyPlan(world.services.home(), plan));
  if (done.length > 0) writeLaunchFile(world.services.home());
  const installs: unknown[] = [];
  for (const plan of plans) {
    const { host, scope, project: of } = plan.record;
    const lines = flags['dry-run'] ? noteLines(plan) : notesAfterInstall(plan, project, world);
    const notes = [...absentLines(plan, world.env).map((line) => line.trim()), ...lines];
    installs.push({ host, scope, project: of, written: done.includes(plan), files: plannedFiles(plan), notes });
  }
  sayJson(world.stdout, { installs });
  if (fault === null) return hostsWithoutHooks(done.map(hostOf), project, world).length === 0 ? EXIT.ok : EXIT.fault;
  throw partialFault(fault, {
    word: 'installed',
    done: done.map(hostOf),
    left: left.map(hostOf),
    hosts: left.map(hostOf),
  });
}

function switchedOffSuffix(hosts: readonly HostId[]): string {
  return hosts.length === 0 ? '.' : `, but hooks are switched off in ${hosts.join(', ')}: no loop can start there yet.`;
}

function hostOf({ record }: HostPlan): HostId {
  return record.host;
}

/** Loaded late: it is part of the doctor, whose modules need those of this command. */
const afterInstall = () => import('../../setup/doctor/after-install.ts');

function refuseOddFlags(words: readonly string[], flags: InstallFlags): void {
  if (flags.user && flags.project)
    throw new Fault(
      'USAGE',
      'Cannot install for the user and for the project at once. Give --user or --project, and then the other.',
    );
  if (flags.json && !flags.yes && !flags['dry-run'])
    throw new Fault('USAGE', '--json does not ask. Add --yes to write, or --dry-run to only look.');
  if (flags.dialect !== undefined && (flags.user || words.length === 0))
    throw new Fault(
      'USAGE',
      'A dialect is enabled for one project and a named host: "tireless install HOST --dialect NAME", in the project.',
    );
  refuseApproval(flags.dialect, flags);
  refuseLongWait(flags);
  if (flags['max-day-turns'] !== undefined && flags.dialect === undefined)
    throw new Fault(
      'USAGE',
      'Cannot use --max-day-turns without --dialect: it limits the loops in state files. Leave it out.',
    );
  if (flags['iteration-timeout'] !== undefined && flags.dialect === undefined)
    throw new Fault(
      'USAGE',
      'Cannot use --iteration-timeout without --dialect: a loop of tireless itself gets it when it starts. Leave it out.',
    );
  if (!flags['on-demand']) return;
  if (flags.dialect !== undefined)
    throw new Fault(
      'USAGE',
      'Cannot use --on-demand with --dialect: the file of a dialect may appear at any time. Leave one out.',
    );
  const fixed = words.filter((word) =>
    HOST_IDS.some((id) => id === word && HOSTS[id].install.whileArmed === undefined),
  );
  if (words.length > 0 && fixed.length === 0) return;
  throw new Fault(
    'USAGE',
    fixed.length === 0
      ? 'Name the host for --on-demand: "tireless install claude-code --on-demand".'
      : `Cannot use --on-demand with ${fixed.join(', ')}: it reads its settings only once, so a hook added with a loop would not run. Leave it out.`,
  );
}

/** An installed hook would not live to see the end of a longer wait. */
function refuseLongWait({ 'approval-wait': waitMs = 0 }: InstallFlags): void {
  const allowedMs = HOOK_TIMEOUT_SECONDS * 1000;
  if (waitMs <= allowedMs) return;
  const [asked, allowed] = [limitDurationText(waitMs), limitDurationText(allowedMs)];
  throw new Fault(
    'USAGE',
    `Cannot use --approval-wait ${asked}: the hook may run for ${allowed}. Leave it out to wait as long as that; for an answer that comes later, use --approval-watch ${asked}.`,
  );
}

/** Some hosts load a module instead of calling a program, and that module handles only native loops. */
function requireDialect(host: HostId): void {
  if (HOSTS[host].capabilities.answersDialects) return;
  throw new Fault(
    'USAGE',
    `Cannot enable a dialect for ${host}: it has no hooks that call a program. Use another host.`,
  );
}
