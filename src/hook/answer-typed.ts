import type { SessionEvent } from '../core/event.ts';
import { Fault, isFault } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { promptWithHistory } from '../core/prompt.ts';
import { activeElsewhereMs, idleMsIn } from '../core/session-activity.ts';
import { chooseLoop } from '../engine/choose-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { openLoopOf, sessionName } from '../engine/session-loops.ts';
import { HOST_IDS } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { choiceFault } from '../views/choice-fault.ts';
import { iterationCountOf } from '../views/iteration-count.ts';
import { checkOffer, isUnproven, noCheckLine } from '../views/no-checks.ts';
import { GREEN_START, isGreen } from '../views/green-start.ts';
import { fullStop, oneLine, PATH_CHARS_MAX } from '../views/printable.ts';
import { resumeRefusal } from '../views/resume-refusal.ts';
import { holdoutNames, roomWarnings } from '../views/room-words.ts';
import { counted, stateSentence } from '../views/sentences.ts';
import { haltedCommand } from '../views/session-actions.ts';
import { answerApproval } from './answer-approval.ts';
import { IDLE_AGENT_HINT } from './offers.ts';
import type { HookWorld, TypedResume, WaitingLoop } from './hook-world.ts';

type TypedCommand = SessionEvent & { kind: 'command-typed' };
type SessionPlace = { readonly session: SessionRef; readonly cwd: string; readonly transcript: string | null };

/** `context`: the agent begins with this text. `refuse`: the user reads it, and the model gets no prompt. */
export type TypedAnswer =
  | { readonly kind: 'context'; readonly text: string; readonly notice: string | null }
  | { readonly kind: 'refuse'; readonly reason: string; readonly notice: null };

const GOAL_CHARS_MAX = 80;
const COMMAND_COLUMNS = 25;
const CHECK_CHARS_MAX = 60;
const CHECKS_NAMED_MAX = 2;

/**
 * `/ralph`, `/cancel-ralph`, `/ralph-approve` and the others, as typed in a session. No shell is involved. If the agent had to end its turn
 * before the command was answered, an answer alone would leave a running loop with nobody at work: the agent continues with this command.
 * After Esc or a failed turn, the user decides.
 */
export async function answerTyped(typed: TypedCommand, place: SessionPlace, world: HookWorld): Promise<TypedAnswer> {
  const answer = await answerCommand(typed, place, world);
  const waiting = answer.kind === 'refuse' ? await findWaitingForAnswer(typed, place, world) : null;
  if (answer.kind !== 'refuse' || waiting === null) return answer;
  const text = `${ONLY_ASKED}\n\n${promptWithHistory(waiting.spec, waiting.state)}`;
  return { kind: 'context', text, notice: answer.reason };
}

async function answerCommand(typed: TypedCommand, place: SessionPlace, world: HookWorld): Promise<TypedAnswer> {
  const { command, args, prefix = '/' } = typed;
  try {
    switch (command) {
      case 'ralph':
        return ['', '--help', '-h'].includes(args.trim())
          ? answerUser(helpText(prefix))
          : await startLoop(typed, place, world);
      case 'cancel-ralph':
        return answerUser(await cancelLoop(place, world));
      case 'ralph-status':
        return answerUser(await statusText(typed, place, world));
      case 'ralph-approve':
        return await answerApproval(null, place.session, world);
      case 'ralph-reject':
        return args.trim() === ''
          ? answerUser(`tireless: say what is missing: ${prefix}ralph-reject TEXT`)
          : await answerApproval(args.trim(), place.session, world);
      case 'ralph-help':
        return answerUser(helpText(prefix));
    }
  } catch (error) {
    // The user reads the answer: what is wrong, and what to type instead.
    if (isFault(error)) return answerUser(`tireless: ${error.message}`);
    throw error;
  }
}

function answerUser(reason: string): TypedAnswer {
  return { kind: 'refuse', reason, notice: null };
}

async function startLoop(typed: TypedCommand, place: SessionPlace, world: HookWorld): Promise<TypedAnswer> {
  const { args, prefix = '/' } = typed;
  const { session, cwd, transcript } = place;
  const resumed = world.typedCommands.parseResume(args);
  if (resumed !== null) return resumeHere(resumed, typed, place, world);
  const request = await world.typedCommands.parseStart(args, cwd, session);
  await refuseSecond(place, prefix, world);
  const spec = { ...request.spec, typed: { host: session.host, prefix } };
  const { loaded, prompt } = await world.policies.armLoop({
    ...request,
    spec,
    session,
    transcript,
    deliversPrompt: true,
  });
  await world.services.noteSession(loaded.state.loop, session);
  const option = world.typedCommands.optionIn(loaded.spec.goal);
  return {
    kind: 'context',
    text: prompt,
    notice: `${beginNotice('works on', loaded, typed, session)}${strayOptionHint(option)}${await noCheckHint(loaded, typed, world)}${greenHint(loaded)}${roomHint(loaded)}${hookTimeHint(loaded, session, world)}`,
  };
}

/** The engine refuses it too, but in the words of a terminal. `resumed`: the loop that is to continue here. */
async function refuseSecond(
  { session }: SessionPlace,
  prefix: string,
  { services }: HookWorld,
  resumed?: LoopId,
): Promise<void> {
  const { effects } = await services.session();
  const loop = await runAsync(openLoopOf(session), effects);
  const found = loop === undefined || loop === resumed ? undefined : await (await services.control()).get(loop);
  if (found === undefined) return;
  const { spec, state } = found;
  const what = resumed === undefined ? 'start a loop' : `continue loop ${resumed} here`;
  throw new Fault(
    'LOOP_STATE',
    `Cannot ${what}: this session already works on loop ${state.loop} ("${oneLine(spec.goal, GOAL_CHARS_MAX)}"). ${prefix}cancel-ralph ends it; ${prefix}ralph-status shows it.`,
  );
}

/** Warns about a loop without checks, and suggests commands that seem to test the project. */
async function noCheckHint(
  { spec, state }: Loaded,
  { args, prefix = '/' }: TypedCommand,
  world: HookWorld,
): Promise<string> {
  if (!isUnproven(spec) || spec.observe === true) return '';
  const offer = (options: string): string => `${prefix}cancel-ralph, then ${prefix}ralph ${options} ${args.trim()}`;
  return `\ntireless: ${noCheckLine(checkOffer(await world.typedCommands.guessChecks(state.cwd), offer))}`;
}

/** Shown once, at the start: from then on the agent waits for checks that take longer. */
function hookTimeHint({ state }: Loaded, { host }: SessionRef, { services }: HookWorld): string {
  const seconds = services.shortStopSeconds();
  const isLate = (state.baseline ?? []).some(
    ({ unknown, durationMs }) => unknown === 'still-running' || durationMs > (seconds ?? 0) * 1000,
  );
  return seconds === null || !isLate
    ? ''
    : `\ntireless: the settings let its hooks run for ${seconds} s, and the checks take longer: each stop tells the agent to wait for them. "tireless install ${host}" restores the usual time`;
}

/** Checks that already pass end nothing by themselves and prove nothing. */
function greenHint({ spec, state }: Loaded): string {
  return spec.observe !== true && isGreen(state.baseline ?? []) ? `\ntireless: ${GREEN_START}` : '';
}

/** Shows the user at the start what the clean room cannot judge, and which flag would help. */
function roomHint({ spec, state }: Loaded): string {
  const lines = state.room === undefined ? [] : roomWarnings(state.room, holdoutNames(spec));
  return lines.length === 0 ? '' : `\n${lines.join('\n')}`;
}

/** The goal is kept as typed; an option in it may be a mistake, and is only reported. */
function strayOptionHint(option: string | undefined): string {
  return option === undefined
    ? ''
    : `. The goal contains "${option}": if you meant it as an option, cancel, and put it before the goal`;
}

/** Continues a loop in this session, with its counters: one that another session left open, or one that is paused or halted. */
async function resumeHere(
  { given, force, limits }: TypedResume,
  typed: TypedCommand,
  place: SessionPlace,
  world: HookWorld,
): Promise<TypedAnswer> {
  const { session, cwd } = place;
  const { prefix = '/' } = typed;
  const [waiting] = await world.policies.waitingFiles(session, cwd);
  if (waiting !== undefined)
    throw new Fault(
      'LOOP_CONFLICT',
      `Cannot continue a loop here: the loop in ${oneLine(waiting.file, PATH_CHARS_MAX)} begins at the next stop of this session. End it first (${prefix}cancel-ralph).`,
    );
  const found = await loopToResume(given, typed, cwd, world);
  const { loop } = found.state;
  await refuseSecond(place, prefix, world, loop);
  const signs = await world.services.sessionSigns(found, true);
  const activeMs = activeElsewhereMs(found, session, signs);
  const idleMs = idleMsIn(signs);
  const { loaded, prompt } = await world.policies.continueLoop(found, session, {
    activeMs,
    force,
    again: `${prefix}ralph --resume ${loop} --force`,
    refusal: (refused, because) => resumeRefusal(refused, because, prefix),
    limits,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  await world.services.noteSession(loaded.state.loop, session);
  const from =
    activeMs === null ? '' : `. It was taken from the session ${sessionIn(found)}, where the user is notified`;
  return { kind: 'context', text: prompt, notice: `${beginNotice('continues with', loaded, typed, session)}${from}` };
}

function sessionIn({ state }: Loaded): string {
  return state.session === null ? '' : sessionName(state.session);
}

/** The named loop, or the newest open one of this project; if none is open, the newest halted one. */
async function loopToResume(
  given: string | undefined,
  { prefix = '/' }: TypedCommand,
  cwd: string,
  { services }: HookWorld,
): Promise<Loaded> {
  const store = await services.store();
  const isHere = (directory: string): boolean => directory === cwd;
  const open = chooseLoop(store, { given, isHere, fits: isOpen });
  const choice = open.kind === 'none-fits' ? chooseLoop(store, { given, isHere, fits: isHalted }) : open;
  if (choice.kind === 'none-fits')
    throw new Fault(
      'LOOP_NOT_FOUND',
      `There is no loop to continue in this project: none is open, and none was halted. ${prefix}ralph "goal" starts one.`,
    );
  if (choice.kind !== 'chosen') throw choiceFault(choice, 'open');
  const { spec, state } = choice.loaded;
  if (isEnded(state) && state.status !== 'halted')
    throw new Fault(
      'LOOP_ENDED',
      `${fullStop(`Cannot continue loop ${state.loop}: it ${stateSentence(choice.loaded)}`)} ${prefix}ralph "goal" starts a new one.`,
    );
  if (spec.driver !== 'session')
    throw new Fault(
      'USAGE',
      `Cannot continue loop ${state.loop} in a session: tireless starts its agents. In a terminal: tireless resume ${state.loop}`,
    );
  return choice.loaded;
}

function isOpen({ spec, state }: Loaded): boolean {
  return spec.driver === 'session' && !isEnded(state);
}

function isHalted({ spec, state }: Loaded): boolean {
  return spec.driver === 'session' && state.status === 'halted';
}

function beginNotice(
  verb: string,
  { spec, state }: Loaded,
  { prefix = '/' }: TypedCommand,
  { host }: SessionRef,
): string {
  const { max } = iterationCountOf({ spec, state });
  const goal = `"${oneLine(spec.goal, GOAL_CHARS_MAX)}"`;
  const isHeld = HOST_IDS.some((id) => id === host && HOSTS[id].capabilities.escFirst === true);
  const commands = `Commands: ${prefix}ralph-status, ${prefix}cancel-ralph${isHeld ? ' (while the agent works, press Esc first)' : ''}`;
  if (spec.observe === true)
    return `tireless: loop ${state.loop} watches the work on ${goal} and never sends the agent back. ${commands}`;
  const most = max === 'unlimited' ? 'no limit on iterations' : `at most ${counted(max, 'iteration')}`;
  return `tireless: loop ${state.loop} ${verb} ${goal} until ${proofWords(spec)}${spec.approveFinish ? ', and you approve' : ''} (${most}). ${commands}`;
}

/** What ends the loop. Hold-outs are not named: the agent reads what is shown in its session. */
function proofWords({ checks }: Loaded['spec']): string {
  const shown = checks.filter(({ holdout }) => !holdout).map(({ name }) => `"${oneLine(name, CHECK_CHARS_MAX)}"`);
  if (checks.length === 0) return 'the agent claims to be done';
  if (shown.length === 0 || shown.length > CHECKS_NAMED_MAX || shown.length < checks.length)
    return `${counted(checks.length, 'check')} ${checks.length === 1 ? 'passes' : 'pass'}`;
  return `${shown.join(' and ')} ${shown.length === 1 ? 'passes' : 'pass'}`;
}

async function cancelLoop({ session, cwd }: SessionPlace, world: HookWorld): Promise<string> {
  const { effects } = await world.services.session();
  const loop = await runAsync(openLoopOf(session), effects);
  if (loop === undefined) {
    const [first, ...others] = await world.policies.waitingFiles(session, cwd);
    return first === undefined ? nothingToCancel(cwd, world) : cancelWaiting(first, others);
  }
  const { loaded } = await (await world.services.control()).cancel(loop);
  if (loaded !== undefined) await world.policies.releaseLoop(loaded);
  const used = loaded === undefined ? 0 : iterationCountOf(loaded).iteration;
  const { loop: ended } = loaded?.state ?? { loop };
  return `tireless: loop ${ended} was cancelled after ${counted(used, 'iteration')}; the files stay as they are.`;
}

/** The user may have meant a loop of another session. */
async function nothingToCancel(cwd: string, { policies }: HookWorld): Promise<string> {
  const others = (await policies.openLoops(cwd)).filter(({ state }) => state.cwd === cwd);
  const ids = others.map(({ state }) => state.loop).join(', ');
  const hint =
    ids === '' ? '' : ` Open elsewhere in this project: ${ids}. To end one, in a terminal: tireless cancel LOOP`;
  return `tireless: this session has no open loop.${hint}`;
}

/** Before the first stop, a state file has no loop yet. */
async function cancelWaiting(first: WaitingLoop, others: readonly WaitingLoop[]): Promise<string> {
  const names = [first, ...others].map(({ file }) => oneLine(file, PATH_CHARS_MAX));
  if (others.length > 0)
    return `tireless: the loops in ${names.join(', ')} begin at the next stop. Run "tireless cancel FILE" for the one you mean.`;
  const { state } = await first.cancel();
  return `tireless: loop ${state.loop} in ${names[0]} was cancelled before its first stop.`;
}

async function statusText(typed: TypedCommand, place: SessionPlace, world: HookWorld): Promise<string> {
  const { prefix = '/' } = typed;
  const lines = await statusLinesIn(prefix, place, world, (await findWaitingForAnswer(typed, place, world)) !== null);
  return lines.length === 0 ? nothingOpen(prefix, place, world) : lines.join('\n');
}

/** The loop of this session, if its agent ended its turn only for the command. */
async function findWaitingForAnswer(
  { command }: TypedCommand,
  { session, transcript }: SessionPlace,
  world: HookWorld,
): Promise<Loaded | null> {
  const host = Object.values(HOSTS).find(({ id }) => id === session.host);
  if (host?.capabilities.reportsCommands !== true || transcript === null) return null;
  const { effects, hostEnvironment } = await world.services.session();
  const loop = await runAsync(openLoopOf(session), effects);
  const found = loop === undefined ? undefined : await (await world.services.control()).get(loop);
  if (found === undefined || found.spec.dialect !== undefined || found.spec.observe === true) return null;
  if (found.state.status !== 'running' || found.state.resting !== undefined) return null;
  const { transcripts, nowMs } = hostEnvironment;
  const isLeft = host.turns?.idleCause(transcript, transcripts, nowMs()) === 'interrupted';
  return !isLeft && host.turns?.hasWaited?.(transcript, transcripts, command) === true ? found : null;
}

const ONLY_ASKED = 'The user typed a command of tireless and has its answer. Continue your work on the goal.';

/** The last loop of the session may have been halted, and can be continued. */
async function nothingOpen(prefix: string, { session }: SessionPlace, { services }: HookWorld): Promise<string> {
  const begin = `${prefix}ralph "goal" starts one.`;
  const store = await services.store();
  const bound = store.loopOfSession(session);
  const last = bound === undefined ? undefined : store.load(bound);
  if (last === undefined) return `tireless: no loop is open here. ${begin}`;
  const command = haltedCommand(last, prefix);
  const again = command === null ? '' : `\n  continue: ${command}`;
  return `tireless: no loop is open here. ${begin}\n${fullStop(`The last one of this session, ${last.state.loop}, ${stateSentence(last)}`)}${again}`;
}

async function statusLinesIn(
  prefix: string,
  { session, cwd }: SessionPlace,
  world: HookWorld,
  continues: boolean,
): Promise<readonly string[]> {
  const { effects } = await world.services.session();
  const all = await world.policies.openLoops(cwd);
  const own = await runAsync(openLoopOf(session), effects);
  const open = all.filter(({ state }) => state.loop === own || state.cwd === cwd);
  const lines = open.map(async (loaded) => [
    ...(loaded.state.loop === own ? ['Loop of this session:'] : ['Elsewhere in this project:']),
    ...(await world.typedCommands.statusLines(loaded, loaded.state.loop === own ? prefix : undefined)),
    ...(loaded.state.loop === own && loaded.state.status === 'running' && !continues ? [IDLE_AGENT_HINT] : []),
  ]);
  const waiting = await world.policies.waitingFiles(session, cwd);
  return [...(await Promise.all(lines)).flat(), ...waiting.flatMap((each) => each.lines)];
}

/** The prefix as typed by the user: a plugin, or a host that reserves the slash, gives the commands another one. */
function helpText(prefix: string): string {
  const row = (command: string, about: string): string => `${`${prefix}${command}`.padEnd(COMMAND_COLUMNS)} ${about}`;
  return [
    'tireless keeps the agent going until the work is proven done, and never longer than you allowed.',
    '',
    row('ralph "goal" [options]', 'work on the goal in this session until it is done'),
    '    --check "npm test"        a command that must pass; repeatable',
    '    --claim DONE              the agent must also claim this',
    '    --max-iterations 20       the most iterations; --max-duration 4h',
    '    every option of "tireless start"',
    row('ralph --resume [LOOP]', 'continue a loop here: a halted one, or one of another session'),
    '    --max-iterations 40       raise the limit that halted it',
    '    --force                   even when the agent of that session is working',
    row('ralph-status', 'show the loops of this project'),
    row('cancel-ralph', 'end the loop of this session'),
    row('ralph-approve', 'approve what it waits for; only you can, never the agent'),
    row('ralph-reject TEXT', 'reject it, and say what is missing'),
  ].join('\n');
}
