import { isEnded, iterationOf } from '../../core/loop.ts';
import type { Loaded } from '../../engine/ports.ts';
import { durationText, limitDurationText } from '../../views/duration.ts';
import { oneLine } from '../../views/printable.ts';
import { outcomeSentence, pauseAction } from '../../views/sentences.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { driverOf, viewWithDriver } from '../driver.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { JSON_FLAG } from '../loop-flags.ts';
import { oldestFirst } from '../loop-rows.ts';
import { oneLoopWord } from '../one-loop.ts';
import { pickLoop } from '../pick-loop.ts';

const GOAL_CHARS_MAX = 100;

export const status: Command = command({
  page: {
    name: 'status',
    synopsis: ['tireless status [LOOP] [--json]'],
    about: [
      'Open loops: where each stands, what it waits for, and whether the process that drives it is alive. With LOOP: that one, ended or not.',
    ],
    flags: { Options: JSON_FLAG },
    examples: ['tireless status', 'tireless status --json'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: JSON_FLAG,
  run: async ({ words, values }, world) => {
    const store = await world.services.store();
    const given = oneLoopWord(words);
    const loops =
      given === undefined
        ? oldestFirst(store.list({ ended: false }))
        : [pickLoop(store, { given, cwd: world.cwd, kind: 'known', fits: () => true })];
    if (values.json) sayJson(world.stdout, { loops: loops.map(viewWithDriver) });
    else
      say(
        world.stdout,
        ...(loops.length === 0 ? ['no open loops; "tireless history" shows the ended ones'] : loops.flatMap(linesOf)),
      );
    return 0;
  },
});

const MARKS = { passed: '✓', failed: '✗', unknown: '?' } as const;

function linesOf({ spec, state }: Loaded): readonly string[] {
  const { limits } = state;
  const checks = state.checks.map((check) => `${MARKS[check.result]} ${oneLine(check.name, 60)}`).join('  ');
  return [
    `${state.loop}  ${isEnded(state) || state.pause !== null ? outcomeSentence(state) : state.status}`,
    `  goal:      ${oneLine(spec.goal, GOAL_CHARS_MAX)}`,
    `  project:   ${state.cwd}`,
    `  iteration: ${iterationOf(state)}${limits.iterationsMax === 'unlimited' ? '' : ` of ${limits.iterationsMax}`}, ${durationText(state.runningMs)}${limits.durationMaxMs === 'unlimited' ? '' : ` of ${limitDurationText(limits.durationMaxMs)}`}`,
    ...(checks === '' ? [] : [`  checks:    ${checks}`]),
    ...driverLines(state),
    ...(state.pause === null ? [] : pauseAction(state.loop, state.pause).map((line) => `  ${line}`)),
  ];
}

function driverLines(state: Loaded['state']): readonly string[] {
  const driver = driverOf(state);
  if (driver?.alive === true) return [`  driver:    process ${driver.pid} is alive`];
  if (driver?.alive === null)
    return [`  driver:    process ${driver.pid} on ${driver.machine}, which cannot be asked from here`];
  if (state.status !== 'running' && state.status !== 'pending') return [];
  return [
    `  driver:    ${driver === null ? 'none' : `process ${driver.pid} is dead`}; go on with: tireless resume ${state.loop}`,
  ];
}
