import type { FlagTable, Parsed } from './flags.ts';
import { parseFlags } from './flags.ts';
import type { HelpPage } from './help-page.ts';
import { helpText } from './help-page.ts';
import { sayHelp } from './io.ts';
import { requirePerson } from './require-person.ts';
import type { World } from './services.ts';

export type Command = {
  readonly page: HelpPage;
  /** The flags it accepts; the page shows them in groups. */
  readonly flags: FlagTable;
  /** The agent of a loop may not call it; see `requirePerson`. */
  readonly isForPeople?: true;
  /** Returns the exit code. Throws `Fault` if something outside tireless fails. */
  readonly call: (args: readonly string[], world: World) => Promise<number>;
};

type Definition<F extends FlagTable> = {
  readonly page: Omit<HelpPage, 'flags'> & { readonly flags: Readonly<Record<string, FlagTable>> };
  readonly flags: F;
  readonly isForPeople?: true;
  /** `args`: the words typed after the name of the command. */
  readonly run: (parsed: Parsed<F> & { readonly args: readonly string[] }, world: World) => Promise<number>;
};

/** One table per command: it drives parsing, validation and the help. */
export function command<F extends FlagTable>({ page, flags, isForPeople, run }: Definition<F>): Command {
  return {
    page,
    flags,
    ...(isForPeople === undefined ? {} : { isForPeople }),
    call: async (args, world) => {
      const parsed = parseFlags(flags, args, page.name);
      if (parsed.help) {
        sayHelp(world, helpText(page));
        return 0;
      }
      if (isForPeople === true) await requirePerson(page.name, world);
      return run({ ...parsed, args }, world);
    },
  };
}
