import type { SessionEvent } from '../core/event.ts';
import { Fault, isFault } from '../core/fault.ts';
import type { SessionRef, Status } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { promptAnew } from '../core/prompt.ts';
import { chooseLoop } from '../engine/choose-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { openLoopOf } from '../engine/session-loops.ts';
import { HOST_IDS } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { choiceFault } from '../views/choice-fault.ts';
import { oneLine } from '../views/printable.ts';
import { counted } from '../views/sentences.ts';
import { STANDS_STILL } from './offers.ts';
import type { HookWorld } from './hook-world.ts';

type Typed = SessionEvent & { kind: 'command-typed' };
type Place = { readonly session: SessionRef; readonly cwd: string; readonly transcript: string | null };

/** `context`: the agent begins with this text. `refuse`: the user reads it, and no model is asked. */
export type TypedAnswer =
  | { readonly kind: 'context'; readonly text: string; readonly notice: string | null }
  | { readonly kind: 'refuse'; readonly reason: string; readonly notice: null };

const GOAL_CHARS_MAX = 80;
const COMMAND_COLUMNS = 25;

/** `/ralph`, `/cancel-ralph`, `/ralph-status`, `/ralph-help`, as typed in a session. No shell stands in between. */
export async function answerTyped(typed: Typed, place: Place, world: HookWorld): Promise<TypedAnswer> {
  const { command, args, prefix = '/' } = typed;
  try {
    switch (command) {
      case 'ralph':
        return args.trim() === '' ? told(helpText(prefix)) : await begin(typed, place, world);
      case 'cancel-ralph':
        return told(await cancelled(place, world));
      case 'ralph-status':
        return told(await statusOf(prefix, place, world));
      case 'ralph-help':
        return told(helpText(prefix));
    }
  } catch (error) {
    // The user typed it and reads the answer: what is wrong, and what to type instead.
    if (isFault(error)) return told(`tireless: ${error.message}`);
    throw error;
  }
}

function told(reason: string): TypedAnswer {
  return { kind: 'refuse', reason, notice: null };
}

async function begin(typed: Typed, place: Place, world: HookWorld): Promise<TypedAnswer> {
  const { args } = typed;
  const { session, cwd, transcript } = place;
  const asked = /^\s*--resume(?:[\s=]+(\S+))?\s*$/u.exec(args);
  if (asked !== null) return goOnHere(asked[1], typed, place, world);
  const request = await world.typedCommands.parseStart(args, cwd);
  const { loaded, prompt } = await world.policies.armLoop({ ...request, session, transcript });
  const option = world.typedCommands.optionIn(loaded.spec.goal);
  return { kind: 'context', text: prompt, notice: `${begunText('works on', loaded, typed, session)}${doubt(option)}` };
}

/** The goal is kept as it was typed; what may be a slip is only said. */
function doubt(option: string | undefined): string {
  return option === undefined
    ? ''
    : `. The goal itself holds "${option}": if that was to be an option, cancel, and close the quote before it`;
}

/** A loop that another session left open goes on in this one, with its counters. */
async function goOnHere(
  given: string | undefined,
  typed: Typed,
  { session, cwd }: Place,
  world: HookWorld,
): Promise<TypedAnswer> {
  const store = await world.services.store();
  const choice = chooseLoop(store, { given, cwd, fits: isOpen });
  if (choice.kind !== 'chosen') throw choiceFault(choice, 'open');
  const found = choice.loaded;
  const moved = (await world.policies.moveLoop(found, session)).loaded ?? found;
  const { state } = moved;
  const control = await world.services.control();
  const event = goOnEvent(state.status);
  const { decision, loaded = moved } = await control.post(state.loop, { kind: event });
  if (loaded.state.status !== 'running')
    throw new Fault(
      'LOOP_STATE',
      `Loop ${state.loop} cannot go on here (${decision.kind}). Look at "tireless status ${state.loop}".`,
    );
  return {
    kind: 'context',
    text: promptAnew(loaded.spec, loaded.state),
    notice: begunText('goes on with', loaded, typed, session),
  };
}

function goOnEvent(status: Status): 'resume-requested' | 'baseline-taken' | 'session-resumed' {
  if (status === 'paused' || status === 'halted') return 'resume-requested';
  // Whoever armed it was killed in the middle of that.
  return status === 'pending' ? 'baseline-taken' : 'session-resumed';
}

function isOpen({ spec, state }: Loaded): boolean {
  return spec.driver === 'session' && !isEnded(state);
}

function begunText(verb: string, { spec, state }: Loaded, { prefix = '/' }: Typed, { host }: SessionRef): string {
  const { iterationsMax } = state.limits;
  const goal = `"${oneLine(spec.goal, GOAL_CHARS_MAX)}"`;
  const isHeld = HOST_IDS.some((id) => id === host && HOSTS[id].capabilities.escFirst === true);
  const commands = `${prefix}ralph-status, ${prefix}cancel-ralph${isHeld ? ' (while the agent works, press Esc first)' : ''}`;
  if (spec.observe === true)
    return `tireless: loop ${state.loop} watches the work on ${goal} and sends nobody back. ${commands}`;
  const { length } = spec.checks;
  const proof =
    length > 0 ? `until ${counted(length, 'check')} ${length === 1 ? 'passes' : 'pass'}` : "until the agent's claim";
  return `tireless: loop ${state.loop} ${verb} ${goal} ${proof}, at most ${iterationsMax} iterations. ${commands}`;
}

async function cancelled({ session }: Place, world: HookWorld): Promise<string> {
  const { effects } = await world.services.session();
  const loop = await runAsync(openLoopOf(session), effects);
  if (loop === undefined) return 'tireless: no loop is open in this session.';
  const { loaded } = await (await world.services.control()).cancel(loop);
  if (loaded !== undefined) await world.policies.releaseLoop(loaded);
  return `tireless: loop ${loop} is cancelled after ${counted(loaded?.state.counted ?? 0, 'iteration')}; the files stay as they are.`;
}

async function statusOf(prefix: string, { session, cwd }: Place, world: HookWorld): Promise<string> {
  const store = await world.services.store();
  const { effects } = await world.services.session();
  const own = await runAsync(openLoopOf(session), effects);
  const open = store.list({ ended: false }).filter(({ state }) => state.loop === own || state.cwd === cwd);
  const lines = open.flatMap((loaded) => [
    ...(loaded.state.loop === own ? ['of this session:'] : ['elsewhere in this project:']),
    ...world.typedCommands.statusLines(loaded),
    ...(loaded.state.loop === own && loaded.state.status === 'running' ? [STANDS_STILL] : []),
  ]);
  return lines.length === 0 ? `tireless: no loop is open here. ${prefix}ralph "goal" starts one.` : lines.join('\n');
}

/** The commands are named as the user typed this one: with a plugin, or on a screen that knows no slash but its own, they are called otherwise. */
function helpText(prefix: string): string {
  const row = (command: string, about: string): string => `${`${prefix}${command}`.padEnd(COMMAND_COLUMNS)} ${about}`;
  return [
    'tireless keeps the agent going until the work is proven done, and never longer than you allowed.',
    '',
    row('ralph "goal" [options]', 'work on the goal in this session until it is done'),
    '    --check "npm test"        a command that has to pass; repeatable',
    '    --claim DONE              the agent also has to say so',
    '    --max-iterations 20       at most so many iterations; --max-duration 4h',
    '    every option of "tireless start"',
    row('ralph --resume [LOOP]', 'go on here with a loop that another session left open'),
    row('ralph-status', 'where the loops of this project stand'),
    row('cancel-ralph', 'end the loop of this session'),
  ].join('\n');
}
