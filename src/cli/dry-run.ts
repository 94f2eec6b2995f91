import type { CheckSpec, Limits, Probe, Spec } from '../core/loop.ts';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import type { StartRequest } from '../engine/ports.ts';
import { previewStart } from '../engine/preview-start.ts';
import { systemClock } from '../system/clock.ts';
import { limitDurationText } from '../views/duration.ts';
import { oneLine } from '../views/printable.ts';
import { dollars } from '../views/sentences.ts';
import { checksFromFlags } from './checks-from-flags.ts';
import type { Configs } from './config-defaults.ts';
import { say, sayJson } from './io.ts';
import type { RunFlags } from './loop-flags.ts';
import type { World } from './services.ts';
import { typedLimits } from './spec-from-flags.ts';

/** Where a value comes from. */
type Origin = 'typed' | 'template' | 'project' | 'user' | 'built-in';

type DryRun = {
  readonly request: StartRequest;
  /** As they were typed. */
  readonly flags: RunFlags;
  readonly configs: Configs;
  readonly hasTemplateLimit: boolean;
};

const TEXT_CHARS_MAX = 200;

/** What a start would do, and where each value comes from. Nothing is run, spent or stored. */
export function tellDryRun(run: DryRun, json: boolean, world: World): number {
  const { request } = run;
  const { prompt } = previewStart(request, systemClock().read());
  const limits = limitRows(run);
  const checks = checkRows(run);
  if (json) {
    sayJson(world.stdout, {
      dryRun: true,
      cwd: request.cwd,
      ...(request.spec.agent === undefined ? {} : { agent: { ...request.spec.agent, from: agentOrigin(run) } }),
      limits: Object.fromEntries(limits.map(({ key, limit, from }) => [key, { limit, from }])),
      checks: checks.map(({ check, from }) => ({ ...check, from })),
      spec: request.spec,
      prompt,
    });
    return 0;
  }
  const { stdout } = world;
  say(stdout, 'dry run: nothing is run, spent or kept', '', ...placeLines(run), '');
  say(stdout, ...checkLines(request.spec, checks), '', ...limitLines(run, limits), '');
  say(stdout, ...fileLines(run.configs), 'first prompt, without the results of the checks:', '');
  if (stdout.isTTY) say(stdout, prompt);
  else stdout.write(`${prompt}\n`);
  return 0;
}

function placeLines(run: DryRun): readonly string[] {
  const { spec, cwd, session } = run.request;
  const { agent } = spec;
  const how =
    agent === undefined ? '' : agent.kind === 'command' ? agent.command : [agent.name, ...(agent.args ?? [])].join(' ');
  return [
    `project: ${oneLine(cwd, TEXT_CHARS_MAX)}`,
    session === null
      ? `agent:   ${oneLine(how, TEXT_CHARS_MAX)} (${agentOrigin(run)})`
      : `session: ${oneLine(`${session.host} ${session.id}`, TEXT_CHARS_MAX)}`,
    `finish:  ${finishWords(spec)}`,
    ...(spec.checks.some((check) => !check.holdout) && !spec.claimRequired
      ? [
          `         if every check passes already at the start, the agent also has to claim ${spec.claim.texts.join(' or ')}, and no check proves the goal`,
        ]
      : []),
  ];
}

function finishWords({ checks, claim, claimRequired, criteria, approveFinish, room }: Spec): string {
  const parts = [
    ...(checks.length === 0
      ? []
      : [`all checks pass${room === undefined ? '' : ', then once more in the clean room'}`]),
    ...(checks.length === 0 || claimRequired ? [`the agent claims ${claim.texts.join(' or ')}`] : []),
    ...(criteria.length === 0 ? [] : ['every criterion is ticked']),
    ...(approveFinish ? ['you approve'] : []),
  ];
  return `${parts.join(', and ')}${checks.length === 0 && !approveFinish ? ' (unverified: there is no check)' : ''}`;
}

type CheckRow = { readonly check: CheckSpec; readonly from: Origin };

/** Typed checks come first, under names of their own. */
function checkRows({ request, flags, configs }: DryRun): readonly CheckRow[] {
  const typed = checksFromFlags(flags).length;
  const others: Origin = (configs.project?.checks.length ?? 0) > 0 ? 'project' : 'user';
  return request.spec.checks.map((check, at) => ({ check, from: at < typed ? 'typed' : others }));
}

function checkLines(spec: Spec, rows: readonly CheckRow[]): readonly string[] {
  if (rows.length === 0) return ['checks:  none; add a command that must pass: --check CMD'];
  return [
    `checks, run ${spec.checksInOrder ? 'one after another' : 'in parallel'} before the first iteration and after each turn:`,
    ...rows.map(({ check, from }) => {
      const { name, probe, timeoutMs, holdout } = check;
      const what = probeWords(probe);
      const named = name === what ? what : `${name}: ${what}`;
      const hidden = holdout ? ', hold-out' : '';
      return `  ${oneLine(named, TEXT_CHARS_MAX)} (${from}, at most ${limitDurationText(timeoutMs)}${hidden})`;
    }),
  ];
}

function probeWords(probe: Probe): string {
  switch (probe.kind) {
    case 'command':
      return probe.command;
    case 'file-exists':
      return `exists ${probe.path}`;
    case 'file-matches':
      return `${probe.path} matches ${probe.pattern}`;
    case 'json-value':
      return `${probe.path}#${probe.pointer} is ${JSON.stringify(probe.equals)}`;
    case 'file-moved':
      return `${probe.path} is moved into ${probe.folder}`;
    case 'git-clean':
      return 'the git work tree is clean';
  }
}

type LimitRow = { readonly key: keyof Limits; readonly limit: Limits[keyof Limits]; readonly from: Origin };

const LIMIT_NAMES: Readonly<Record<keyof Limits, string>> = {
  iterationsMax: 'iterations',
  durationMaxMs: 'running time',
  costMaxUsd: 'cost',
  tokensMax: 'tokens',
  faultsInRowMax: 'faults in a row',
  noProgressMax: 'iterations without progress',
};

// `Object.keys` loses the names that the table has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
const LIMIT_KEYS = Object.keys(LIMIT_NAMES) as readonly (keyof Limits)[];

function limitRows({ request, flags, configs, hasTemplateLimit }: DryRun): readonly LimitRow[] {
  const typed = typedLimits(flags);
  const { limits } = request.spec;
  return LIMIT_KEYS.map((key) => {
    const limit = limits[key];
    const ofTemplate = key === 'iterationsMax' && hasTemplateLimit;
    const own: Origin = ofTemplate ? 'template' : configs.user?.limits[key] === undefined ? 'built-in' : 'user';
    // A project may only lower a limit: if its limit is not the one in force, it did not.
    const isProjects =
      configs.project?.limits[key] === limit && limit !== (configs.user?.limits[key] ?? DEFAULT_LIMITS[key]);
    return { key, limit, from: typed[key] !== undefined ? 'typed' : isProjects ? 'project' : own };
  });
}

function limitLines(run: DryRun, rows: readonly LimitRow[]): readonly string[] {
  return [
    'limits:',
    ...rows.map(({ key, limit, from }) => `  ${LIMIT_NAMES[key]}: ${limitText(key, limit)} (${from})`),
    ...(run.request.session === null
      ? [
          timeLine(run, 'one iteration', 'iterationTimeoutMs', 'iteration-timeout'),
          timeLine(run, 'a silent agent', 'idleTimeoutMs', 'idle-timeout'),
        ]
      : []),
  ];
}

function timeLine(
  { request, flags, configs }: DryRun,
  name: string,
  key: 'iterationTimeoutMs' | 'idleTimeoutMs',
  flag: 'iteration-timeout' | 'idle-timeout',
): string {
  const ms = request.spec.timing[key];
  const { project, user } = configs;
  const own: Origin = user?.timing?.[key] === undefined ? 'built-in' : 'user';
  const from = flags[flag] !== undefined ? 'typed' : project?.timing?.[key] === ms ? 'project' : own;
  return `  ${name}: ${limitDurationText(ms)} (${from})`;
}

function limitText(key: keyof Limits, limit: Limits[keyof Limits]): string {
  if (limit === 'unlimited') return limit;
  if (key === 'durationMaxMs') return limitDurationText(limit);
  return key === 'costMaxUsd' ? dollars(limit) : String(limit);
}

function agentOrigin({ flags, configs }: DryRun): Origin {
  if (flags.agent !== undefined || flags['agent-command'] !== undefined) return 'typed';
  const { name, command } = configs.project?.agent ?? {};
  return name !== undefined || command !== undefined ? 'project' : 'user';
}

function fileLines({ project, user }: Configs): readonly string[] {
  const read = [
    ...(project === null ? [] : [`project: ${project.file}`]),
    ...(user === null ? [] : [`user: ${user.file}`]),
  ];
  return read.length === 0 ? [] : [`defaults were read from ${read.join(', ')}`, ''];
}
