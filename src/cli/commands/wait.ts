import type { CheckResult } from '../../core/evidence.ts';
import { systemClock } from '../../system/clock.ts';
import { durationText } from '../../views/duration.ts';
import { oneLine } from '../../views/printable.ts';
import { CHECK_MARKS } from '../../views/sentences.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { value } from '../flags.ts';
import { parseDuration } from '../flag-values.ts';
import { LOOP_NOTE } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import type { CheckJob } from '../../hook/hook-world.ts';

/** Shorter than the shortest timeout that agents set for their commands. */
const WAIT_MS_DEFAULT = 100_000;
const POLL_MS = 250;

const FLAGS = {
  timeout: value('D', 'how long to wait at most (default 100s)', parseDuration),
} as const;

export const wait: Command = command({
  page: {
    name: 'wait',
    synopsis: ['tireless wait [LOOP] [--timeout D]'],
    about: [
      'Wait for checks that take longer than a stop of the agent may last. The prompt tells the agent to run this, and to end its turn afterwards;',
      'the work is judged then. It changes nothing: what it prints is not yet a decision.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless wait 2611', 'tireless wait 2611 --timeout 10m'],
    notes: [
      ...LOOP_NOTE,
      'Exit codes: 0 no check is running · 1 a fault · 2 wrong usage · 4 the checks are still running: run it again · 70 a bug in tireless',
    ],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const given = loopArgument(words);
    const store = await world.services.store();
    const { state } = pickLoop(store, { given, cwd: world.cwd, kind: 'any', fits: () => true });
    const clock = systemClock();
    const endMs = performance.now() + (values.timeout ?? WAIT_MS_DEFAULT);
    let jobs = await world.services.jobs(state.loop);
    while (jobs.some(isRunning) && performance.now() < endMs) {
      await clock.sleep(Math.min(POLL_MS, endMs - performance.now())).done;
      jobs = await world.services.jobs(state.loop);
    }
    if (jobs.some(isRunning)) {
      say(world.stdout, `the checks of loop ${state.loop} are still running; run this command again`);
      return EXIT.paused;
    }
    say(
      world.stdout,
      ...jobs.flatMap(({ results }) => results ?? []).map(lineOf),
      jobs.length === 0
        ? `no checks of loop ${state.loop} are running`
        : 'the checks are done: end your turn now, and the work is judged',
    );
    return EXIT.ok;
  },
});

function isRunning({ results, alive }: CheckJob): boolean {
  return results === null && alive;
}

function lineOf({ name, result, durationMs }: CheckResult): string {
  return `${CHECK_MARKS[result]} ${oneLine(name, 60)} (${durationText(durationMs)})`;
}
