import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { writeFileAtomic } from '../../system/files.ts';
import { realDirectory } from '../../system/project.ts';
import { reportLines, reportOf, statementOf } from '../../views/attestation.ts';
import { entriesWithoutHoldouts, withoutHoldouts } from '../../views/hide-holdouts.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { text } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import { mustHideHoldouts } from '../shown-loops.ts';

const FLAGS = {
  attest: text('FILE', 'write it as an in-toto statement about test results; "-" prints it'),
} as const;

export const report: Command = command({
  page: {
    name: 'report',
    synopsis: ['tireless report [LOOP] [--attest FILE]'],
    about: [
      'What the clean room showed when it last judged a loop: checks, numbers of tests, changed files that judge the work, and the hashes that it',
      'relies on. With --attest it becomes an attestation that "tireless verify --attestation FILE" compares with a checkout. It is not signed.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless report 2611', 'tireless report 2611 --attest proof.json'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const store = await world.services.store();
    const loaded = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'any', fits: () => true });
    const { loop } = loaded.state;
    const isHidden = await mustHideHoldouts([loaded], world);
    const entries = store.entries(loop);
    const found = isHidden
      ? reportOf(withoutHoldouts(loaded), entriesWithoutHoldouts(entries), loaded.head.hash)
      : reportOf(loaded, entries, loaded.head.hash);
    if (found === null)
      throw new Fault(
        'LOOP_STATE',
        `The clean room has not judged loop ${loop}, so there is nothing to report. "tireless explain ${loop}" shows why each decision was made.`,
      );
    const file = values.attest;
    if (file === undefined) {
      say(world.stdout, ...reportLines(found));
      return 0;
    }
    const work = found.found.work ?? '';
    const target = path.resolve(realDirectory(world.cwd) ?? world.cwd, file);
    const commit = await (await world.services.rooms()).commitOfWork(loaded, work, target);
    const statement = statementOf(found, commit === null ? { sha256: work } : { gitCommit: commit });
    if (file === '-') sayJson(world.stdout, statement);
    else {
      writeFileAtomic(target, `${JSON.stringify(statement, null, 2)}\n`, { durable: true });
      say(
        world.stdout,
        `wrote ${file}: ${statement.predicate.result}, ${commit === null ? `work ${work}` : `commit ${commit}`}`,
      );
    }
    return 0;
  },
});
