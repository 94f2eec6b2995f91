import { Fault, isFault } from '../core/fault.ts';
import type { Loaded } from '../engine/ports.ts';
import { requireOwnEnd } from '../engine/require-own-end.ts';
import { ensureTracker } from '../setup/tracker-file.ts';
import { viewOf } from '../views/loop-view.ts';
import { endReport } from './end-report.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { guessChecksIn } from '../setup/guess-checks.ts';
import { say, sayJson } from './io.ts';
import type { JsonMode } from './open-display.ts';
import { detailOf, humanOutput, openDisplay, sayOutcome } from './open-display.ts';
import type { DriveResult, World } from './services.ts';

export type DriveFlags = {
  readonly json: JsonMode;
  readonly 'no-wait': boolean;
  readonly 'require-verified': boolean;
  readonly 'allow-missing-check': boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
};

/** Drives a loop that exists, shows it, reports how it ended, and returns the exit code. */
export async function driveAndReport({ spec, state }: Loaded, flags: DriveFlags, world: World): Promise<number> {
  ensureTracker(spec, state.cwd);
  const detail = detailOf({ quiet: flags.quiet ?? false, verbose: flags.verbose ?? false });
  const display = openDisplay(world, flags.json, detail);
  let driven: DriveResult;
  try {
    display.show({
      kind: 'loop-opened',
      loop: state.loop,
      goal: spec.goal,
      checks: spec.checks.length,
      ...(spec.approveFinish ? { approval: true } : {}),
      fresh: state.status === 'pending',
      runningMs: state.runningMs,
    });
    driven = await world.services.drive({
      loop: state.loop,
      show: display.show,
      wait: !flags['no-wait'],
      allowMissingCheck: flags['allow-missing-check'],
    });
  } catch (error) {
    display.close();
    if (!canResume(error)) throw error;
    const next = `is kept; continue with: tireless resume ${state.loop}`;
    if (isFault(error)) throw new Fault(error.code, `${error.message} Loop ${state.loop} ${next}`, { cause: error });
    say(world.stderr, `tireless: loop ${state.loop} ${next}`);
    throw error;
  }
  display.close();
  const { loaded, ended } = await requireOwnEnd(driven, guessChecksIn);
  const whole = endReport(loaded, { interrupted: ended !== 'loop-ended' && loaded.state.pause === null });
  const report = detail === 'quiet' ? whole.slice(0, 1) : whole;
  const program = world.calledAs ?? 'tireless';
  const lines = report.map((line) => line.replace(/\btireless (?=[a-z]+ )/, `${program} `));
  const [first = '', ...rest] = lines;
  sayOutcome(world, flags.json, loaded.state, first);
  say(humanOutput(world, flags.json), ...rest);
  if (flags.json !== 'no') sayJson(world.stdout, viewOf(loaded));
  return ended === 'interrupted'
    ? EXIT.interrupted
    : exitCodeOf(loaded, { requireVerified: flags['require-verified'] });
}

/** A fault ends the driving, not the loop. But if someone else drives the loop it continues there, and without its journal it cannot continue. */
function canResume(error: unknown): boolean {
  return !(isFault(error) && /^(?:JOURNAL_|LOOP_(?:BUSY|NOT_FOUND)$)/u.test(error.code));
}
