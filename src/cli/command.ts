import type { FlagTable, Parsed } from './flags.ts';
import { parseFlags } from './flags.ts';
import type { HelpPage } from './help-page.ts';
import { helpText } from './help-page.ts';
import { say } from './io.ts';
import type { World } from './services.ts';

export type Command = {
  readonly page: HelpPage;
  /** Answers the exit code. Throws `Fault` when the world is in the way. */
  readonly call: (args: readonly string[], world: World) => Promise<number>;
};

type Definition<F extends FlagTable> = {
  readonly page: Omit<HelpPage, 'flags'> & { readonly flags: Readonly<Record<string, FlagTable>> };
  readonly flags: F;
  readonly run: (parsed: Parsed<F>, world: World) => Promise<number>;
};

/** One table per command: it parses, it validates, and it writes the help. */
export function command<F extends FlagTable>({ page, flags, run }: Definition<F>): Command {
  return {
    page,
    call: async (args, world) => {
      const parsed = parseFlags(flags, args, page.name);
      if (!parsed.help) return run(parsed, world);
      say(world.stdout, ...helpText(page));
      return 0;
    },
  };
}
