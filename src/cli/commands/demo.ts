import { Fault } from '../../core/fault.ts';
import { demoStory } from '../../terminal/demo-story.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { demoCheat } from '../demo-cheat.ts';
import { runDemo } from '../demo-loop.ts';
import { toggle } from '../flags.ts';
import { json } from '../loop-flags.ts';
import { requireNoWords } from '../loop-argument.ts';

const FLAGS = {
  cheat: toggle('with an agent that cheats in three ways before it does the work'),
  keep: toggle('keep the project and its loop, to look at them with "tireless explain"'),
  json,
} as const;

const INTRO =
  'A corner shop with four bugs, and an agent that fixes one per turn. Watch for the turn when it says DONE while a test still fails.';

export const demo: Command = command({
  page: {
    name: 'demo',
    synopsis: ['tireless demo [--cheat] [--keep] [--json]'],
    about: [
      'Run a whole loop in a throwaway project: a small code base with failing tests, and a built-in agent that fixes one bug per turn and',
      'says "DONE" too early. No account, no network. The project and its loop are removed at the end.',
      'With --cheat the agent changes the tests, ends the process before they run, and blinds the assertions. Each time you see what gave it away.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless demo', 'tireless demo --cheat'],
    notes: ['Exit codes: 0 completed · 1 a fault · 2 wrong usage · 70 a bug in tireless · 130 Ctrl-C'],
  },
  flags: FLAGS,
  run: async ({ words, values: { cheat, keep, json: mode } }, world) => {
    requireNoWords(words, 'demo');
    if (!cheat)
      return runDemo(
        { agent: 'honest', intro: INTRO, narrate: demoStory(), quotes: true, sum: () => [] },
        { json: mode, keep },
        world,
      );
    if (mode === 'stream')
      throw new Fault('USAGE', 'Cannot use --json=stream with --cheat. Use --json, or leave out --cheat.');
    return demoCheat({ json: mode, keep }, world);
  },
});
