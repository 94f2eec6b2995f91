import type { Loaded } from '../engine/ports.ts';
import { quoted } from '../hosts/guard.ts';
import { checkOffer, isUnproven } from '../views/no-checks.ts';
import { guessChecksIn } from '../setup/guess-checks.ts';

/** The typed command with the checks that the project seems to have; `null` = none were found, or the loop has proof without them. */
export async function checkOfferOf(
  { spec, state }: Loaded,
  command: 'run' | 'start',
  args: readonly string[],
): Promise<string | null> {
  if (!isUnproven(spec)) return null;
  const words = args.map(quoted).join(' ');
  const offer = (options: string): string => `tireless cancel ${state.loop}; tireless ${command} ${options} ${words}`;
  return checkOffer(await guessChecksIn(state.cwd), offer);
}
