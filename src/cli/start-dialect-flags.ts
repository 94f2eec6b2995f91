import { Fault } from '../core/fault.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { StartFlags } from './start-args.ts';
import { typedFlagNames } from './start-args.ts';

const TODOS_DONE = 'All TODOs complete';

const ALWAYS: ReadonlySet<keyof StartFlags> = new Set([
  'dialect',
  'session',
  'cwd',
  'goal-file',
  'from-todos',
  'template',
  'max-iterations',
  'json',
]);

/** What `tireless hook --dialect` takes: it is asked for there, at every stop. */
const IN_THE_HOOK: ReadonlySet<keyof StartFlags> = new Set([
  'check',
  'holdout',
  'check-exists',
  'check-matches',
  'check-json',
  'check-git-clean',
  'check-timeout',
  'protect',
  'max-duration',
  'max-no-progress',
  'iteration-timeout',
]);

/** An option that a state file cannot hold is refused: one that is ignored would be a promise that is broken. */
export function refuseForeignFlags(name: DialectName, flags: StartFlags): void {
  const held = DIALECTS[name].start.flags;
  const other = typedFlagNames(flags).find((each) => !ALWAYS.has(each) && !held.some((flag) => flag === each));
  if (other !== undefined)
    throw new Fault(
      'USAGE',
      `Cannot use --${other} with --dialect ${name}: its state file has no place for it. ${
        IN_THE_HOOK.has(other)
          ? `Add it to the command of the hook: tireless hook HOST --dialect ${name} --${other}.`
          : 'Leave it out, or start a loop of tireless itself, without --dialect.'
      }`,
    );
  if (flags['max-iterations'] === 'unlimited')
    throw new Fault(
      'USAGE',
      `Cannot use "unlimited" for --max-iterations with --dialect ${name}: a state file has a number. Give one.`,
    );
}

/** The texts that the file will hold. In the document that takes several, `|` stands between them. */
export function claimsFor(name: DialectName, flags: StartFlags, ofTemplate: string | null): readonly string[] {
  const { claims, claimDefault } = DIALECTS[name].start;
  if (flags.claim.some((text) => text.trim() === ''))
    throw new Fault('USAGE', 'Cannot use an empty text for --claim: nothing would match it. Give the text.');
  if (claims === 'fixed') return [claimDefault];
  if (flags.claim.length > 0) {
    const typed = claims === 'several' ? flags.claim.flatMap((text) => text.split('|')) : flags.claim;
    const texts = typed.map((text) => text.trim()).filter((text) => text !== '');
    const takeSeveral = DIALECT_NAMES.filter((each) => DIALECTS[each].start.claims === 'several').join(', ');
    if (claims === 'one' && texts.length > 1)
      throw new Fault(
        'USAGE',
        `Cannot keep ${texts.length} texts for --claim in the state file of ${name}: it has a place for one. Give one; ${takeSeveral} and loops of tireless itself take several.`,
      );
    return texts;
  }
  if (ofTemplate !== null) return [ofTemplate];
  // A moved file is an ending of its own.
  if (flags['watch-file'] !== undefined) return [];
  return [flags['from-todos'] === undefined ? claimDefault : TODOS_DONE];
}
