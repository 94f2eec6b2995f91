import { replay as replayEntries } from '../../core/journal.ts';
import { decisionWithoutHoldouts } from '../../views/hide-holdouts.ts';
import { replayReport } from '../../views/replay-report.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { toggle } from '../flags.ts';
import { LOOP_NOTE } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import { mustHideHoldouts } from '../shown-loops.ts';

const FLAGS = { json: toggle('print {"loop","entries","differences"} for scripts') } as const;

export const replay: Command = command({
  page: {
    name: 'replay',
    synopsis: ['tireless replay [LOOP] [--json]'],
    about: [
      'Recompute every decision of a loop from the recorded evidence, and compare. A journal whose chain is broken, or a decision that',
      'now differs, is reported.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless replay 2611'],
    notes: [
      ...LOOP_NOTE,
      'Exit codes: 0 the same · 1 a difference, a broken chain or another fault · 2 wrong usage · 70 a bug in tireless',
    ],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const store = await world.services.store();
    const loaded = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'any', fits: () => true });
    const { asked, state } = loaded;
    const entries = store.entries(state.loop);
    const all = replayEntries(entries).differences;
    const differences =
      all.length > 0 && (await mustHideHoldouts([loaded], world))
        ? all.map((difference) => ({
            ...difference,
            recorded: decisionWithoutHoldouts(difference.recorded, asked),
            recomputed: decisionWithoutHoldouts(difference.recomputed, asked),
          }))
        : all;
    if (values.json) sayJson(world.stdout, { loop: state.loop, entries: entries.length, differences });
    else
      say(differences.length === 0 ? world.stdout : world.stderr, ...replayReport(loaded, entries.length, differences));
    return differences.length === 0 ? 0 : 1;
  },
});
