import { LIMIT_KEYS, LIMIT_NAMES, limitText } from './limit-words.ts';
import type { Limits, Probe, Spec } from '../core/loop.ts';
import type { StartRequest } from '../engine/ports.ts';
import { previewStart } from '../engine/preview-start.ts';
import type { Configs } from '../engine/spec/config-defaults.ts';
import type { BuiltSpec, Origin } from '../engine/spec/value-origins.ts';
import { agentOrigin, checkOrigins, limitOrigin, timingOrigin } from '../engine/spec/value-origins.ts';
import { systemClock } from '../system/clock.ts';
import { limitDurationText } from '../views/duration.ts';
import { oneLine } from '../views/printable.ts';
import { say, sayJson } from './io.ts';
import type { World } from './services.ts';

type DryRun = Omit<BuiltSpec, 'spec'> & { readonly request: StartRequest };

const TEXT_CHARS_MAX = 200;

/** What a start would do, and the origin of each value. Nothing is run, spent or stored. */
export function printDryRun(run: DryRun, json: boolean, world: World): number {
  const { request } = run;
  const built = { ...run, spec: request.spec };
  const { prompt } = previewStart(request, systemClock().read());
  const limits = limitRows(built);
  const checks = checkOrigins(built);
  if (json) {
    sayJson(world.stdout, {
      dryRun: true,
      cwd: request.cwd,
      ...(request.spec.agent === undefined ? {} : { agent: { ...request.spec.agent, from: agentOrigin(built) } }),
      limits: Object.fromEntries(limits.map(({ key, limit, from }) => [key, { limit, from }])),
      checks: checks.map(({ check, from }) => ({ ...check, from })),
      spec: request.spec,
      prompt,
    });
    return 0;
  }
  const { stdout } = world;
  say(stdout, 'dry run: nothing is run, spent or kept', '', ...placeLines(request, agentOrigin(built)), '');
  say(stdout, ...checkLines(request.spec, checks), '', ...limitLines(built, request.session === null, limits), '');
  say(stdout, ...fileLines(run.configs), 'first prompt, without the results of the checks:', '');
  if (stdout.isTTY) say(stdout, prompt);
  else stdout.write(`${prompt}\n`);
  return 0;
}

function placeLines({ spec, cwd, session }: StartRequest, agentFrom: Origin): readonly string[] {
  const { agent } = spec;
  const how =
    agent === undefined ? '' : agent.kind === 'command' ? agent.command : [agent.name, ...(agent.args ?? [])].join(' ');
  return [
    `project: ${oneLine(cwd, TEXT_CHARS_MAX)}`,
    session === null
      ? `agent:   ${oneLine(how, TEXT_CHARS_MAX)} (${agentFrom})`
      : `session: ${oneLine(`${session.host} ${session.id}`, TEXT_CHARS_MAX)}`,
    `finish:  ${finishWords(spec)}`,
    ...(spec.checks.some((check) => !check.holdout) && !spec.claimRequired
      ? [
          `         if every check passes already at the start, the agent also has to claim ${claimWords(spec)}. No check proves the goal then`,
        ]
      : []),
  ];
}

function claimWords({ claim }: Pick<Spec, 'claim'>): string {
  return claim.texts.map((text) => `"${oneLine(text, TEXT_CHARS_MAX)}"`).join(' or ');
}

function finishWords({ checks, claim, claimRequired, criteria, approveFinish, room }: Spec): string {
  const parts = [
    ...(checks.length === 0
      ? []
      : [`all checks pass${room === undefined ? '' : ', then once more in the clean room'}`]),
    ...(checks.length === 0 || claimRequired ? [`the agent claims ${claimWords({ claim })}`] : []),
    ...(criteria.length === 0 ? [] : ['every criterion is ticked']),
    ...(approveFinish ? ['you approve'] : []),
  ];
  return `${parts.join(', and ')}${checks.length === 0 && !approveFinish ? ' (unverified: there is no check)' : ''}`;
}

function checkLines(spec: Spec, rows: ReturnType<typeof checkOrigins>): readonly string[] {
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

function limitRows(run: BuiltSpec): readonly LimitRow[] {
  return LIMIT_KEYS.map((key) => ({ key, limit: run.spec.limits[key], from: limitOrigin(key, run) }));
}

function limitLines(built: BuiltSpec, isDriven: boolean, rows: readonly LimitRow[]): readonly string[] {
  return [
    'limits:',
    ...rows.map(({ key, limit, from }) => `  ${LIMIT_NAMES[key]}: ${limitText(key, limit)} (${from})`),
    ...(isDriven
      ? [timeLine('one iteration', 'iterationTimeoutMs', built), timeLine('a silent agent', 'idleTimeoutMs', built)]
      : []),
  ];
}

function timeLine(name: string, key: 'iterationTimeoutMs' | 'idleTimeoutMs', run: BuiltSpec): string {
  return `  ${name}: ${limitDurationText(run.spec.timing[key])} (${timingOrigin(key, run)})`;
}

function fileLines({ project, user }: Configs): readonly string[] {
  const read = [
    ...(project === null ? [] : [`${project.file} (project)`]),
    ...(user === null ? [] : [`${user.file} (user)`]),
  ];
  return read.length === 0 ? [] : [`defaults come from ${read.join(' and ')}`, ''];
}
