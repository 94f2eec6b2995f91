import type { ActivityLine } from '../../core/activity-line.ts';
import { parseActivityLine } from '../../core/activity-line.ts';
import { Fault } from '../../core/fault.ts';
import type { State } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import type { Loaded } from '../../engine/ports.ts';
import { systemClock } from '../../system/clock.ts';
import { driverOf } from '../../system/driver-process.ts';
import { iterationCountOf } from '../../views/iteration-count.ts';
import type { LogFilter, LogFormatter } from '../../views/log-lines.ts';
import { DROPPED_NOTE, logFormatter } from '../../views/log-lines.ts';
import { stateSentence } from '../../views/sentences.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { toggle, value } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import type { World } from '../services.ts';

const POLL_MS = 500;

const FLAGS = {
  follow: { ...toggle('wait for more until the loop ends'), short: 'f' },
  iteration: value('N', 'only this iteration; 0 = the checks before the first', parseIteration),
  agent: toggle('only what the agent printed'),
  checks: toggle('only what the checks printed'),
} as const;

export const logs: Command = command({
  page: {
    name: 'logs',
    synopsis: ['tireless logs [LOOP] [-f] [--iteration N] [--agent|--checks]'],
    about: [
      'Show what the agent and the checks of a loop printed, per iteration, oldest first. For a loop in a session, only the checks: the',
      "conversation is in the agent's own program. The output of hold-out checks is never kept.",
    ],
    flags: { Options: FLAGS },
    examples: ['tireless logs', 'tireless logs -f', 'tireless logs 2611 --iteration 3 --checks'],
    notes: [
      'In front of a line: "!" = the agent wrote it to stderr, ">" = a tool that the agent used, "|" = a check.',
      ...LOOP_NOTE,
      ...PLAIN_EXIT_CODES,
    ],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    if (values.agent && values.checks)
      throw new Fault('USAGE', 'The flags --agent and --checks cannot be combined. Leave both out to see everything.');
    const store = await world.services.store();
    const loaded = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'any', fits: () => true });
    const of = values.agent ? 'agent' : values.checks ? 'checks' : 'both';
    return showLogs(loaded, { iteration: values.iteration, of, isFollowed: values.follow }, world);
  },
});

type Asked = LogFilter & { readonly isFollowed: boolean };

async function showLogs({ spec, state }: Loaded, asked: Asked, world: World): Promise<number> {
  refuseMissing({ spec, state }, asked);
  const print = (...lines: readonly string[]): void => say(world.stdout, ...lines);
  const read = await world.services.logs(state.loop);
  const formatter = logFormatter(asked, spec.dialect);
  const known = parsed(read());
  const shown = linesOfAll(known, formatter);
  if (spec.driver === 'session') print(SESSION_NOTE);
  if (known.some(({ kind }) => kind === 'dropped')) print(DROPPED_NOTE);
  print(...shown);
  if (!asked.isFollowed) {
    const rest = formatter.end();
    print(...rest);
    if (shown.length + rest.length === 0) print(nothingShown(state, asked));
    return EXIT.ok;
  }
  const store = await world.services.store();
  const clock = systemClock();
  for (;;) {
    // Loaded before the log is read, so that everything printed up to this state is in the log.
    const now = store.load(state.loop);
    print(...linesOfAll(parsed(read()), formatter));
    if (now === undefined || isOver(now.state)) {
      print(...formatter.end(), ...(now === undefined ? [] : [`loop ${state.loop} ${stateSentence(now)}`]));
      return EXIT.ok;
    }
    await clock.sleep(POLL_MS).done;
  }
}

/** Somebody who follows an open loop may wait for a later iteration. */
function refuseMissing({ spec, state }: Pick<Loaded, 'spec' | 'state'>, { iteration = 0, isFollowed }: Asked): void {
  const { iteration: newest } = iterationCountOf({ spec, state });
  if (iteration <= newest || (isFollowed && !isOver(state))) return;
  throw new Fault('USAGE', `Loop ${state.loop} has no iteration ${iteration}: its newest is ${newest}.`);
}

const SESSION_NOTE =
  "[this loop runs in a session: the conversation is in the agent's own program, and only the output of checks is kept here]";

function nothingShown(state: State, { iteration }: Asked): string {
  const where = iteration === undefined ? '' : ` in iteration ${iteration}`;
  return isOver(state) ? `nothing was printed${where}` : `nothing has been printed yet${where}`;
}

/** For someone who watches, a pause that no driver waits out is an end. */
function isOver(state: State): boolean {
  return isEnded(state) || (state.status === 'paused' && driverOf(state)?.alive !== true);
}

function parsed(lines: readonly string[]): readonly ActivityLine[] {
  return lines.flatMap((line) => parseActivityLine(line) ?? []);
}

function linesOfAll(lines: readonly ActivityLine[], formatter: LogFormatter): readonly string[] {
  return lines.flatMap((line) => formatter.format(line));
}

function parseIteration(given: string, name: string): number {
  if (!/^\d{1,6}$/.test(given))
    throw new Fault('USAGE', `${name} takes the number of an iteration, but got "${given}".`);
  return Number(given);
}
