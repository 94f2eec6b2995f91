import type { AbstainReason } from '../../core/decision.ts';
import { Fault } from '../../core/fault.ts';
import type { Limits, SessionRef } from '../../core/loop.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { Control, Loaded } from '../../engine/ports.ts';
import { takeoverOf } from '../../engine/takeover-signs.ts';
import { requireNoneAtWork, resumable, resumeLoop } from '../../engine/resume-loop.ts';
import { requireReportedLimits } from '../../engine/spec/choose-agent.ts';
import type { WaitingFile } from '../../setup/waiting-files.ts';
import { driverOf } from '../../system/driver-process.ts';
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
import { detailOf } from '../open-display.ts';
import { pickLoop } from '../pick-loop.ts';
import { requireAgentProgram } from '../../setup/agent-program.ts';
import { isInProjectOf, projectDirectory } from '../../system/project.ts';
import { seenOf } from '../seen-session.ts';
import type { World } from '../services.ts';
import { TYPED_FLAGS, typedLimits } from '../spec-options.ts';
import { waitingFileMeant } from '../waiting-files.ts';

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
      'Other limits': LIMIT_FLAGS,
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
    const isHere = isInProjectOf(world.cwd);
    const here = store.list({ ended: false }).filter(({ state }) => isHere(state.cwd));
    const fits = resumable(here, isDriven);
    const found = pickLoop(store, { given, cwd: world.cwd, kind: 'resumable', fits });
    if (given === undefined) requireNoneAtWork(here, found, isDriven);
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
    if (ready.spec.driver !== 'session') return driveAndReport(ready, flags, world);
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

/** Loaded late: most loops have hooks that stay. */
async function restoreHooks(loaded: Loaded, world: World): Promise<void> {
  (await import('../../setup/arm-session.ts')).restoreOnDemand(loaded, world);
}

/** A session lets go of a halted loop, and a newer one may have taken its place. `null` = the loop still has its session, or never had one. */
function lostSession({ spec, state }: Loaded): SessionRef | null {
  const isOurs = spec.driver === 'session' && spec.dialect === undefined;
  return isOurs && state.status === 'halted' ? state.session : null;
}

/** The command that was typed, with --force; in front, should "--" end the flags. */
function againWithForce({ state }: Loaded, given: string | undefined, args: readonly string[]): string {
  const typed = (given === undefined ? [state.loop, ...args] : args).map((word) => shellWord(printable(word)));
  return ['tireless', 'resume', ...(typed.includes('--') ? ['--force', ...typed] : [...typed, '--force'])].join(' ');
}

/** Nothing was changed: the loop is where it was, in the hands of its session. Documents bring their agents back in their own ways. */
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
  return new Fault(
    'LOOP_STATE',
    `Nothing to resume: loop ${loop} ${stands}. ${isGone ? 'Resume that session in its host' : 'Write to the agent there to continue'}; or continue in another session with "tireless resume ${loop} --session ID", or outside any session with "tireless resume ${loop} --agent ${session?.host ?? 'NAME'}".`,
  );
}

/** Its loop begins in that session. What the file says about limits is the file's. */
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

/** In a session the host drives: the loop answers its next stop. */
function sayReady(ready: Loaded, sentence: string, json: string, { stdout }: World): number {
  if (json === 'no') say(stdout, sentence);
  else sayJson(stdout, viewOf(ready));
  return 0;
}

function isDriven({ state }: Loaded): boolean {
  return driverOf(state)?.alive === true;
}

/** A maximum is typed as the file of the loop counts. */
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
