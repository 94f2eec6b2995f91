import type { CheckResult } from '../../core/evidence.ts';
import { Fault } from '../../core/fault.ts';
import { comparisonLines, isAttested } from '../../views/attestation-check.ts';
import { oneLine } from '../../views/printable.ts';
import { verificationLines, verificationView } from '../../views/verification.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { text, toggle } from '../flags.ts';
import { LOOP_NOTE } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import type { World } from '../services.ts';
import { shownLoops } from '../shown-loops.ts';

const NAME_CHARS_MAX = 80;

const FLAGS = {
  ref: text('REV', 'judge this commit, branch or tag of the project instead of the work tree'),
  attestation: text('FILE', 'compare this checkout with an attestation of "tireless report" instead; nothing is run'),
  json: toggle('print the same facts as one JSON object'),
} as const;

export const verify: Command = command({
  page: {
    name: 'verify',
    synopsis: ['tireless verify [LOOP] [--ref REV] [--json]', 'tireless verify --attestation FILE [--json]'],
    about: [
      'Run the checks of a loop in the clean room, and nothing else: does this work, or this branch, prove the goal? The room contains the work as a',
      'commit would contain it, with the tests and their configuration as they were when the loop began. The loop does not change.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless verify', 'tireless verify 2611 --ref main', 'tireless verify --json'],
    notes: [...LOOP_NOTE, 'Exit codes: 0 proven · 1 not proven, or a fault · 2 wrong usage · 70 a bug in tireless'],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    if (values.attestation !== undefined) {
      if (words.length > 0 || values.ref !== undefined)
        throw new Fault(
          'USAGE',
          'Cannot use --attestation with a loop or with --ref: it names its own. Leave them out.',
        );
      const { checkAttestation } = await import('../check-attestation.ts');
      const comparison = await checkAttestation(world, values.attestation);
      if (values.json) sayJson(world.stdout, { ...comparison, holds: isAttested(comparison) });
      else say(world.stdout, ...comparisonLines(comparison));
      return isAttested(comparison) ? EXIT.ok : EXIT.fault;
    }
    const store = await world.services.store();
    const loaded = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'any', fits: () => true });
    const rooms = await world.services.rooms();
    const { loop, cwd } = loaded.state;
    const commit = values.ref === undefined ? null : await rooms.commitOf(cwd, values.ref);
    if (values.ref !== undefined && commit === null)
      throw new Fault(
        'USAGE',
        `There is no commit "${oneLine(values.ref, NAME_CHARS_MAX)}" in the repository of ${cwd}. Give --ref a commit, branch or tag that "git log" shows there.`,
      );
    const ref = commit === null ? null : { name: values.ref ?? '', commit };
    // The loop's own agent may verify, as often as it likes. For the agent, hold-outs are not even run.
    const [judged = loaded] = await shownLoops([loaded], world);
    const found = await rooms.judge(judged, {
      ...(commit === null ? {} : { commit }),
      onCheck: (name, result) => printProgress(world, name, result),
    });
    if (values.json) sayJson(world.stdout, verificationView({ loop, ref }, found));
    else say(world.stdout, ...verificationLines({ loop, ref }, found));
    return found.proven ? EXIT.ok : EXIT.fault;
  },
});

/** Shows a waiting person which check is running. Prints nothing if nobody is watching. */
function printProgress({ stderr }: World, name: string, result: CheckResult | undefined): void {
  if (stderr.isTTY && result === undefined) say(stderr, `running in the clean room: ${oneLine(name, NAME_CHARS_MAX)}`);
}
