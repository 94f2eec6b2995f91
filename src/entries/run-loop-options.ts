import { Fault } from '../core/fault.ts';
import type { Timing } from '../core/loop.ts';
import { LIMIT_CEILINGS, requireLimits, requireMilliseconds } from '../engine/spec/limit-values.ts';
import type { AgentOptions, OptionName, OptionSource, SpecOptions } from '../engine/spec/options.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { didYouMean } from '../views/nearest-word.ts';
import type { LoopAgent, RunLoopOptions } from './run-loop.ts';

/** The options of a program as options of a loop. A program may be JavaScript, so the values are checked here. Throws `USAGE`. */
export function specOptionsOf(options: RunLoopOptions): SpecOptions {
  const { limits = {}, roomSetup, checkTimeoutMs } = options;
  requireKnown(options, Object.keys(OPTIONS), 'option');
  requireKnown(limits, Object.keys(LIMIT_CEILINGS), 'limit');
  const room = { free: textsOf('free', options.free), setup: roomSetup };
  return {
    agent: agentOptionsOf(options.agent),
    checks: {
      commands: textsOf('checks', options.checks),
      holdouts: textsOf('holdouts', options.holdouts),
      timeoutMs: checkTimeoutMs === undefined ? undefined : requireMilliseconds(checkTimeoutMs, 'checkTimeoutMs'),
    },
    claims: textsOf('claims', options.claims),
    criteria: textsOf('criteria', options.criteria),
    protect: textsOf('protect', options.protect),
    room: options.cleanRoom === false ? 'none' : room,
    approveFinish: options.approveFinish ?? false,
    limits: requireLimits(limits, PROGRAM_OPTIONS.nameOf),
    timing: timingOf(options),
    ...(options.sandbox === true ? { containment: 'sandbox' } : {}),
  };
}

const OPTIONS: Readonly<Record<keyof RunLoopOptions, true>> = {
  goal: true,
  agent: true,
  checks: true,
  holdouts: true,
  cwd: true,
  claims: true,
  criteria: true,
  protect: true,
  free: true,
  cleanRoom: true,
  roomSetup: true,
  approveFinish: true,
  limits: true,
  iterationTimeoutMs: true,
  idleTimeoutMs: true,
  checkTimeoutMs: true,
  pauseBetweenMs: true,
  sandbox: true,
  waitForUsageLimit: true,
  signal: true,
  onProgress: true,
  home: true,
};

/** A misspelt limit would be ignored, and the loop would run longer than its program allows. */
function requireKnown(given: object, known: readonly string[], what: 'option' | 'limit'): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const names = known.join(', ');
  throw new Fault('USAGE', `runLoop has no ${what} ${unknown}.${didYouMean(unknown, known)} It has ${names}.`);
}

function agentOptionsOf(agent: LoopAgent): AgentOptions {
  if (typeof agent === 'function') return {};
  if (typeof agent === 'string') return { name: agent };
  return 'args' in agent ? { ...agent, args: textsOf('agent.args', agent.args) } : agent;
}

function textsOf(name: keyof RunLoopOptions | 'agent.args', given: unknown = []): readonly string[] {
  if (!Array.isArray(given)) throw new Fault('USAGE', `Cannot use a single value for ${name}: give an array.`);
  return given.map((each: unknown) => {
    if (typeof each === 'string') return each;
    throw new Fault('USAGE', `Cannot use a value that is not a string in ${name}. Give an array of strings.`);
  });
}

function timingOf({ iterationTimeoutMs, idleTimeoutMs, pauseBetweenMs }: RunLoopOptions): Partial<Timing> {
  return {
    ...(iterationTimeoutMs === undefined
      ? {}
      : { iterationTimeoutMs: requireMilliseconds(iterationTimeoutMs, 'iterationTimeoutMs') }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs: requireMilliseconds(idleTimeoutMs, 'idleTimeoutMs') }),
    ...(pauseBetweenMs === undefined
      ? {}
      : { pauseBetweenMs: requireMilliseconds(pauseBetweenMs, 'pauseBetweenMs', 0) }),
  };
}

const NAMES: Readonly<Record<OptionName, string>> = {
  agent: 'agent',
  agentCommand: 'agent.command',
  agentArgs: 'agent.args',
  checks: 'checks',
  holdouts: 'holdouts',
  reports: 'reports',
  claims: 'claims',
  criteria: 'criteria',
  iterationsMax: 'limits.iterationsMax',
  durationMaxMs: 'limits.durationMaxMs',
  costMaxUsd: 'limits.costMaxUsd',
  tokensMax: 'limits.tokensMax',
  faultsInRowMax: 'limits.faultsInRowMax',
  noProgressMax: 'limits.noProgressMax',
};

const LISTS: ReadonlySet<OptionName> = new Set(['checks', 'holdouts', 'reports', 'claims', 'criteria']);

/** The names of the options of `runLoop`, which reads no configuration. */
export const PROGRAM_OPTIONS: OptionSource = {
  nameOf: (option) => NAMES[option],
  written: (option, value) => {
    const text = JSON.stringify(value);
    if (option === 'agentCommand') return `agent: { command: ${text} }`;
    return `${NAMES[option]}: ${LISTS.has(option) ? `[${text}]` : text}`;
  },
  readsConfig: false,
  agents: HOSTS,
};
