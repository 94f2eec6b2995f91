import { Fault } from '../core/fault.ts';
import type { Limits, Spec, Timing } from '../core/loop.ts';
import { shellWord } from '../core/shell-word.ts';
import type { AgentOptions, OptionName, OptionSource, RoomOptions, SpecOptions } from '../engine/spec/options.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { splitWords } from '../system/shell-line.ts';
import { checkOptions, inProject } from './check-options.ts';
import type { LimitFlags, RunFlags } from './loop-flags.ts';

export type AgentFlags = Pick<RunFlags, 'agent' | 'agent-command' | 'agent-args'>;
type RoomFlags = Pick<RunFlags, 'no-room' | 'room-setup' | 'room-keep' | 'free'>;
type TimingFlags = Pick<RunFlags, 'iteration-timeout' | 'idle-timeout' | 'pause-between'>;

/** The typed flags as options of a loop. Throws `USAGE`. */
export function specOptions(flags: Partial<RunFlags>): SpecOptions {
  const { claim, criterion, tracker, protect } = flags;
  return {
    checks: checkOptions(flags),
    checksInOrder: flags['checks-in-order'] ?? false,
    claims: claim ?? [],
    criteria: criterion ?? [],
    ...(tracker === undefined ? {} : { tracker: inProject(tracker, '--tracker') }),
    protect: protect ?? [],
    room: roomOptions(flags),
    approveFinish: flags['approve-finish'] ?? false,
    limits: typedLimits(flags),
    timing: typedTiming(flags),
    agent: agentOptions(flags),
    ...containmentOf(flags),
  };
}

export function agentOptions(flags: Partial<AgentFlags>): AgentOptions {
  const args = (flags['agent-args'] ?? []).flatMap((text) => splitWords(text, '--agent-args'));
  return { name: flags.agent, command: flags['agent-command'], args };
}

/** Only the typed limits: those that `resume` may raise. */
export function typedLimits(flags: Partial<LimitFlags>): Partial<Limits> {
  return {
    ...(flags['max-iterations'] === undefined ? {} : { iterationsMax: flags['max-iterations'] }),
    ...(flags['max-duration'] === undefined ? {} : { durationMaxMs: flags['max-duration'] }),
    ...(flags['max-cost'] === undefined ? {} : { costMaxUsd: flags['max-cost'] }),
    ...(flags['max-tokens'] === undefined ? {} : { tokensMax: flags['max-tokens'] }),
    ...(flags['max-faults'] === undefined ? {} : { faultsInRowMax: flags['max-faults'] }),
    ...(flags['max-no-progress'] === undefined ? {} : { noProgressMax: flags['max-no-progress'] }),
  };
}

export function roomOptions(flags: Partial<RoomFlags>): RoomOptions | 'none' {
  if (flags['no-room'] === true) return 'none';
  const keep = (flags['room-keep'] ?? []).map((given) => inProject(given, '--room-keep'));
  return { keep, free: flags.free ?? [], setup: flags['room-setup'] };
}

function typedTiming(flags: Partial<TimingFlags>): Partial<Timing> {
  const { 'iteration-timeout': iteration, 'idle-timeout': idle, 'pause-between': pause } = flags;
  return {
    ...(iteration === undefined ? {} : { iterationTimeoutMs: iteration }),
    ...(idle === undefined ? {} : { idleTimeoutMs: idle }),
    ...(pause === undefined ? {} : { pauseBetweenMs: pause }),
  };
}

function containmentOf(flags: Partial<Pick<RunFlags, 'sandbox' | 'no-contain'>>): Pick<Spec, 'containment'> {
  const { sandbox = false, 'no-contain': isFree = false } = flags;
  if (sandbox && isFree)
    throw new Fault(
      'USAGE',
      'Cannot use both --sandbox and --no-contain: a sandbox contains the processes too. Give one.',
    );
  return sandbox ? { containment: 'sandbox' } : isFree ? { containment: 'none' } : {};
}

const FLAG_NAMES: Readonly<Record<OptionName, string>> = {
  agent: '--agent',
  agentCommand: '--agent-command',
  agentArgs: '--agent-args',
  checks: '--check',
  holdouts: '--holdout',
  reports: '--check-report',
  claims: '--claim',
  criteria: '--criterion',
  iterationsMax: '--max-iterations',
  durationMaxMs: '--max-duration',
  costMaxUsd: '--max-cost',
  tokensMax: '--max-tokens',
  faultsInRowMax: '--max-faults',
  noProgressMax: '--max-no-progress',
};

export const TYPED_FLAGS: OptionSource = {
  nameOf: (option) => FLAG_NAMES[option],
  written: (option, value) => `${FLAG_NAMES[option]} ${shellWord(value)}`,
  readsConfig: true,
  agents: HOSTS,
};
