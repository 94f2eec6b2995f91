import type { AbstainReason } from '../../core/decision.ts';
import { Fault } from '../../core/fault.ts';
import type { Limits, SessionRef } from '../../core/loop.ts';
import { shellWord } from '../../core/shell-word.ts';
import { chooseLoop } from '../../engine/choose-loop.ts';
import type { Control, Loaded, Store } from '../../engine/ports.ts';
import { takeoverOf } from '../../engine/takeover-signs.ts';
import { requireNoneAtWork, resumable, resumeLoop } from '../../engine/resume-loop.ts';
import { requireReportedLimits } from '../../engine/spec/choose-agent.ts';
import type { WaitingFile } from '../../setup/waiting-files.ts';
import { driverOf } from '../../system/driver-process.ts';
import { choiceFault } from '../../views/choice-fault.ts';
import { limitForMaximum } from '../../views/iteration-count.ts';
import { viewOf } from '../../views/loop-view.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, printable } from '../../views/printable.ts';
import { resumeRefusal } from '../../views/resume-refusal.ts';
import type { SeenOfSession } from '../../views/standstill.ts';
import { standstillOf } from '../../views/standstill.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { driveAndReport } from '../drive-and-report.ts';
import { DRIVE_EXIT_CODES, LOOP_NOTE } from '../help-page.ts';
import type { Flag } from '../flags.ts';
import type { LimitFlags } from '../loop-flags.ts';
import { AGENT_FLAGS, CHECK_FLAGS, FINISH_FLAGS, LIMIT_FLAGS, OUTPUT_FLAGS } from '../loop-flags.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { handOver, nextAgent } from '../hand-over.ts';
import {
  continuesLine,
  FORCE_FLAG,
  movedLine,
  moveWaitingFile,
  placeLoop,
  requireResumable,
  SESSION_FLAGS,
  sessionFromFlags,
} from '../move-loop.ts';
import { detailOf, humanOutput } from '../open-display.ts';
import { requireAgentProgram } from '../../setup/agent-program.ts';
import { isInProjectOf, projectDirectory } from '../../system/project.ts';
import { seenOf } from '../seen-session.ts';
import type { World } from '../services.ts';
import { TYPED_FLAGS, typedLimits } from '../spec-options.ts';
import { waitingFileMeant } from '../waiting-files.ts';

/** A loop keeps the limits it has: the defaults are those of a new one. */
const RAISED_LIMITS: typeof LIMIT_FLAGS = {
  'max-iterations': ofLoop(LIMIT_FLAGS['max-iterations']),
  'max-duration': ofLoop(LIMIT_FLAGS['max-duration']),
  'max-cost': ofLoop(LIMIT_FLAGS['max-cost']),
  'max-tokens': ofLoop(LIMIT_FLAGS['max-tokens']),
  'max-faults': ofLoop(LIMIT_FLAGS['max-faults']),
  'max-no-progress': ofLoop(LIMIT_FLAGS['max-no-progress']),
};

function ofLoop<T>(flag: Flag<T>): Flag<T> {
  return { ...flag, help: flag.help.replace(/ \(default .*\)$/u, '') };
}

const MORE_FLAGS = {
  'allow-missing-check': CHECK_FLAGS['allow-missing-check'],
  'require-verified': FINISH_FLAGS['require-verified'],
} as const;

/** Takes the loop out of its session. */
const DRIVER_FLAGS = {
  agent: AGENT_FLAGS.agent,
  'agent-args': AGENT_FLAGS['agent-args'],
  'agent-command': AGENT_FLAGS['agent-command'],
} as const;

const QUESTION_CHARS_MAX = 300;

export const resume: Command = command({
  page: {
    name: 'resume',
    synopsis: ['tireless resume [LOOP] [limits]', 'tireless resume [LOOP | FILE] --session ID [--host NAME] [limits]'],
    about: [
      'Continue a loop that was paused, was halted by a limit, or lost the process that drove it. It continues at its iteration, with the',
      'time, cost and iterations it has already used. A halted loop continues when you raise the limit that ended it.',
      "A loop in an agent's session continues there, or with --session in another one. With --agent or --agent-command it leaves",
      'the session, and a fresh agent starts for each iteration; it also leaves when the host reports that it will not continue.',
      'A loop whose agent is working is taken from its session only with --force, and the user is notified there.',
      'FILE: an active state file of this project whose loop has not begun; it begins in the session given by --session.',
    ],
    flags: {
      'Other limits': RAISED_LIMITS,
      'For a loop in a session': { ...SESSION_FLAGS, ...DRIVER_FLAGS, ...FORCE_FLAG },
      Options: { ...MORE_FLAGS, ...OUTPUT_FLAGS },
    },
    examples: [
      'tireless resume',
      'tireless resume 2611 --max-iterations 40',
      'tireless resume 2611 --session 4f0c',
      'tireless resume 2611 --agent codex',
    ],
    notes: [...LOOP_NOTE, '', ...DRIVE_EXIT_CODES],
  },
  flags: { ...LIMIT_FLAGS, ...SESSION_FLAGS, ...DRIVER_FLAGS, ...FORCE_FLAG, ...MORE_FLAGS, ...OUTPUT_FLAGS },
  isForPeople: true,
  run: async ({ words, values: flags, args }, world) => {
    detailOf(flags);
    const store = await world.services.store();
    const target = sessionFromFlags(flags);
    const given = loopArgument(words);
    const waiting = target === null ? undefined : await waitingFileMeant(given, world);
    if (target !== null && waiting !== undefined) return resumeWaiting(waiting, target, flags, world);
    const found = loopToResume(given, store, world);
    const again = againWithForce(found, given, args);
    const signs = await world.services.sessionSigns(found, false);
    const takeover = takeoverOf(found, target, signs, { force: flags.force, again });
    projectDirectory(found.state.cwd, world.cwd, `end the loop with "tireless cancel ${found.state.loop}"`);
    const agent = target === null ? nextAgent(found, flags) : null;
    if (agent !== null) requireAgentProgram(agent, found.state.cwd, TYPED_FLAGS);
    const lost = target === null && agent === null ? lostSession(found) : null;
    const driver = agent ?? found.spec.agent;
    if (driver !== undefined) requireReportedLimits(driver, typedLimits(flags), TYPED_FLAGS);
    const control = await world.services.control();
    const limits = limitsFor(found, flags);
    if (agent !== null) await requireResumable(found, limits, { takeover, refusal }, world);
    const left = agent === null ? found : await handOver(found, agent, { control, takeover }, world);
    const place = target ?? lost;
    const placing = { limits, ...(target === null ? {} : takeover) };
    const placed = place === null ? left : await placeLoop(left, place, { placing, refusal }, world);
    const ready = await makeReady(placed, limitsFor(placed, flags), control);
    if (ready.spec.driver !== 'session') {
      if (!flags.quiet) say(humanOutput(world, flags.json), ...unansweredLines(found));
      return driveAndReport(ready, flags, world);
    }
    if (target === null && isLeftAlone(found, ready)) throw nothingToResume(ready, await seenOf(ready, world));
    if (target === null) {
      await restoreHooks(ready, world);
      const { sentence, waits } = await continuesLine(found, ready, world);
      const code = sayReady(ready, sentence, flags.json, world);
      return waits ? EXIT.paused : code;
    }
    await restoreHooks(ready, world);
    return sayReady(ready, movedLine(ready, target), flags.json, world);
  },
});

/** Throws `LOOP_BUSY`, `LOOP_NOT_FOUND` or `LOOP_AMBIGUOUS`. */
function loopToResume(given: string | undefined, store: Pick<Store, 'load' | 'list'>, { cwd }: World): Loaded {
  const isHere = isInProjectOf(cwd);
  const here = store.list({ ended: false }).filter(({ state }) => isHere(state.cwd));
  const choice = chooseLoop(store, { given, isHere, fits: resumable(here, isDriven) });
  const chosen = choice.kind === 'chosen' ? choice.loaded : undefined;
  if (given === undefined) requireNoneAtWork(here, chosen, isDriven);
  if (choice.kind !== 'chosen') throw choiceFault(choice, 'resumable');
  return choice.loaded;
}

/** The agent asked something, and its next prompt has no answer: the user may have given it in another way. */
function unansweredLines({ state: { loop, pause, steering } }: Loaded): readonly string[] {
  if (pause?.cause !== 'blocked' || steering.length > 0) return [];
  return [
    `the agent was blocked: ${oneLine(pause.question ?? '', QUESTION_CHARS_MAX)}`,
    `it continues without an answer from you; to answer: tireless steer ${loop} "…"`,
  ];
}

/** Loaded late: most loops have hooks that stay. */
async function restoreHooks(loaded: Loaded, world: World): Promise<void> {
  (await import('../../setup/arm-session.ts')).restoreOnDemand(loaded, world);
}

/** A session releases a halted loop, and may have a newer one by now. `null` = the loop still has its session, or never had one. */
function lostSession({ spec, state }: Loaded): SessionRef | null {
  const isOurs = spec.driver === 'session' && spec.dialect === undefined;
  return isOurs && state.status === 'halted' ? state.session : null;
}

/** The typed command with --force, which comes first in case "--" ends the flags. */
function againWithForce({ state }: Loaded, given: string | undefined, args: readonly string[]): string {
  const typed = (given === undefined ? [state.loop, ...args] : args).map((word) => shellWord(printable(word)));
  return ['tireless', 'resume', ...(typed.includes('--') ? ['--force', ...typed] : [...typed, '--force'])].join(' ');
}

/** Nothing changed: the loop still belongs to its session. Documents bring their agents back in their own ways. */
function isLeftAlone(found: Loaded, { spec, head }: Loaded): boolean {
  const isOpen = found.state.status === 'running' || found.state.status === 'pending';
  return spec.dialect === undefined && isOpen && found.head.revision === head.revision;
}

function nothingToResume({ state }: Loaded, seen: SeenOfSession): Fault {
  const { loop, session } = state;
  const still = standstillOf(state, seen);
  const where = session === null ? 'a session' : oneLine(`${session.host} ${session.id}`, 100);
  const stands =
    still === null
      ? `${state.status === 'pending' ? 'begins' : 'runs'} in its session (${where})`
      : `is stalled in its session (${where}): ${still.reason}`;
  const isGone = still?.cause === 'ended' || still?.cause === 'dead';
  const reopen = `Reopen it${seen.reopen === undefined ? '' : ` (${seen.reopen})`}`;
  return new Fault(
    'LOOP_STATE',
    `Nothing to resume: loop ${loop} ${stands}. ${isGone ? reopen : 'Write to the agent there to continue'}; or continue in another session with "tireless resume ${loop} --session ID", or outside any session with "tireless resume ${loop} --agent ${session?.host ?? 'NAME'}".`,
  );
}

/** Its loop begins in that session. The limits in the file stay. */
async function resumeWaiting(
  waiting: WaitingFile,
  target: SessionRef,
  flags: LimitFlags & { readonly json: string },
  world: World,
): Promise<number> {
  if (Object.keys(typedLimits(flags)).length > 0)
    throw new Fault('USAGE', 'Cannot change the limits of a loop that has not begun: edit them in its state file.');
  const sentence = await moveWaitingFile(waiting, target, world);
  if (flags.json === 'no') say(world.stdout, sentence);
  else sayJson(world.stdout, { file: waiting.place.file, session: target });
  return 0;
}

/** The host drives a session: the loop replies at its next stop. */
function sayReady(ready: Loaded, sentence: string, json: string, { stdout }: World): number {
  if (json === 'no') say(stdout, sentence);
  else sayJson(stdout, viewOf(ready));
  return 0;
}

function isDriven({ state }: Loaded): boolean {
  return driverOf(state)?.alive === true;
}

/** A typed maximum counts as the file of the loop does. */
function limitsFor({ spec }: Loaded, flags: LimitFlags): Partial<Limits> {
  const { iterationsMax, ...limits } = typedLimits(flags);
  return iterationsMax === undefined
    ? limits
    : { ...limits, iterationsMax: limitForMaximum(iterationsMax, spec.dialect) };
}

async function makeReady(found: Loaded, limits: Partial<Limits>, control: Control): Promise<Loaded> {
  const resumed = await resumeLoop(found, limits, { control, isDriven });
  if (resumed.kind === 'ready') return resumed.loaded;
  throw resumed.kind === 'driven' ? busyFault(resumed.loaded) : refusal(resumed.loaded, resumed.because);
}

function busyFault({ state }: Loaded): Fault {
  return new Fault(
    'LOOP_BUSY',
    `Loop ${state.loop} is being driven by process ${driverOf(state)?.pid ?? ''}. Watch it with "tireless status ${state.loop}", or stop it with "tireless pause ${state.loop}".`,
  );
}

function refusal(loaded: Loaded, because: AbstainReason): Fault {
  return resumeRefusal(loaded, because, null);
}
