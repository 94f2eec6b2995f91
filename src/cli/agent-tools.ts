import path from 'node:path';
import { z } from 'zod';
import { Fault, isFault } from '../core/fault.ts';
import type { LoopId } from '../core/loop.ts';
import { loopOfVariables } from '../engine/agent-caller.ts';
import type { Loaded } from '../engine/ports.ts';
import { HOST_IDS } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { noteInTracker } from '../setup/tracker-note.ts';
import { approvalText, blockedText, goalText, limitsLeftText, openText, verifyText } from '../views/agent-tools.ts';
import { withoutHoldouts } from '../views/hide-holdouts.ts';
import type { World } from './services.ts';

/** One tool as a protocol offers it to an agent: JSON in, text out. */
export type AgentTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly call: (input: unknown) => Promise<ToolAnswer>;
};

type ToolAnswer = { readonly text: string; readonly isError: boolean };

const TEXT_CHARS_MAX = 4000;
const SESSION_VARIABLES = HOST_IDS.flatMap((host) => {
  const variable = HOSTS[host].capabilities.sessionVariable;
  return variable === null ? [] : [{ host, variable }];
});
const NO_INPUT = z.object({});
const TEXT = z.string().min(1).max(TEXT_CHARS_MAX);

/**
 * What the agent of a loop may do with it: read, leave notes, ask for a person, and have its work verified. None of the tools changes the spec, the
 * limits, the approvals or the journal, and none of them knows the hold-out checks.
 */
export function agentTools(find: () => Promise<Loaded>, world: World): readonly AgentTool[] {
  return [
    tool('goal', 'The goal of your loop, its checks, and how it ends.', NO_INPUT, async () => goalText(await find())),
    tool('open', 'Criteria that are still open, and the check results at your last stop.', NO_INPUT, async () => {
      const loaded = await find();
      return openText(loaded, await (await world.services.rooms()).ticked(loaded));
    }),
    tool('limits', 'How many iterations, how much time, cost and tokens are left.', NO_INPUT, async () =>
      limitsLeftText(await find()),
    ),
    tool(
      'note_progress',
      'Add a note to the tracker, which the next iteration reads. With `criterion`: also tick that line, exactly as it is written there.',
      z.object({ text: TEXT, criterion: TEXT.optional() }),
      async ({ text, criterion }) => note(await find(), text, criterion),
    ),
    tool(
      'say_blocked',
      'Use this when you cannot continue without a person: note what you need, and learn how to end your turn so that the loop waits.',
      z.object({ need: TEXT }),
      async ({ need }) => {
        const { spec, state } = await find();
        noteInTracker({ spec, loop: state.loop, project: state.cwd }, { text: `Blocked: ${need}` });
        return blockedText(spec, need);
      },
    ),
    tool(
      'ask_approval',
      "Use this when something needs a person's approval: note it, and learn how to end your turn so that they are asked.",
      z.object({ what: TEXT }),
      async ({ what }) => {
        const loaded = await find();
        const { spec, state } = loaded;
        noteInTracker({ spec, loop: state.loop, project: state.cwd }, { text: `Approval needed: ${what}` });
        return approvalText(loaded, what);
      },
    ),
    tool(
      'verify',
      'Run the checks now, in the work tree and then in the clean room, and return what fails. It may take as long as the checks take.',
      NO_INPUT,
      async () => verifyNow(await find(), world),
    ),
  ];
}

function tool<I>(
  name: string,
  description: string,
  input: z.ZodType<I>,
  call: (input: I) => Promise<string>,
): AgentTool {
  const { $schema: _, ...schema } = z.toJSONSchema(input);
  return {
    name,
    description,
    inputSchema: { ...schema, type: 'object' },
    call: async (given) => {
      const parsed = input.safeParse(given);
      if (!parsed.success) return { text: z.prettifyError(parsed.error), isError: true };
      try {
        return { text: await call(parsed.data), isError: false };
      } catch (error) {
        if (isFault(error)) return { text: `${error.code}: ${error.message}`, isError: true };
        throw error;
      }
    },
  };
}

function note({ spec, state }: Loaded, text: string, criterion: string | undefined): string {
  const noted = noteInTracker(
    { spec, loop: state.loop, project: state.cwd },
    criterion === undefined ? { text } : { text, criterion },
  );
  const file = path.join(state.cwd, noted.file);
  if (criterion !== undefined && !noted.ticked)
    return `Noted in ${file}. No open line "${criterion}" was found there, so nothing was ticked.`;
  return `Noted in ${file}.${criterion === undefined ? '' : ' The criterion is ticked.'}`;
}

/** Judges the work as a decision would, minus what the agent must not learn: `loaded` has no hold-outs. */
async function verifyNow(loaded: Loaded, world: World): Promise<string> {
  const { spec, state } = loaded;
  if (spec.checks.length === 0) return 'This loop has no checks that you could run.';
  const rooms = await world.services.rooms();
  const tree = await rooms.runChecks(loaded);
  const isGreen = tree.every((check) => check.result === 'passed');
  const room = isGreen ? await rooms.judge(loaded, { onCheck: () => undefined }) : null;
  return verifyText(state.loop, tree, room);
}

/**
 * The one loop this server is bound to, without its hold-outs: the loop that was named, the one in the agent's environment, or the open loop of its
 * session.
 */
export async function loopOfAgent(world: World, named: LoopId | undefined): Promise<Loaded> {
  const store = await world.services.store();
  const loop = named ?? loopOfVariables(world.env, SESSION_VARIABLES, store);
  const loaded = loop === undefined ? undefined : store.load(loop);
  if (loaded === undefined)
    throw new Fault(
      'LOOP_NOT_FOUND',
      loop === undefined
        ? 'There is no loop for this agent yet. A person starts one with "tireless run", "tireless start" or /ralph, or names it: tireless mcp --loop ID. In Claude Code, after /clear or /resume, they first type "/mcp reconnect tireless".'
        : `There is no loop "${loop.slice(0, 64)}". "tireless list" shows every loop.`,
    );
  return withoutHoldouts(loaded);
}
