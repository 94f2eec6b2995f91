import { Fault } from '../../core/fault.ts';
import type { SessionRef } from '../../core/loop.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import { DEFAULT_HOST } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { thisMachine } from '../../system/worker-identity.ts';
import { viewOf } from '../../views/loop-view.ts';
import { oneLine } from '../../views/printable.ts';
import { armedLines, stateFileLines } from '../armed-lines.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { checkOfferOf } from '../check-offer.ts';
import { isUnproven, noCheckLine } from '../../views/no-checks.ts';
import type { Loaded } from '../../engine/ports.ts';
import { say, sayJson } from '../io.ts';
import { CHECK_FLAGS, DRY_RUN_FLAG } from '../loop-flags.ts';
import type { World } from '../services.ts';
import type { StartFlags, StartParsed } from '../start-args.ts';
import {
  GOAL_FLAGS,
  START_FINISH_FLAGS,
  START_FLAGS,
  START_LIMIT_FLAGS,
  START_OUTPUT_FLAGS,
  plannedStart,
  startRequestOf,
  TURN_FLAGS,
  WATCH_FLAGS,
  WHERE_FLAGS,
} from '../start-args.ts';
import { sessionFromFlags } from '../move-loop.ts';

const DIALECT_MAXIMA = DIALECT_NAMES.map((name) => `${name} ${DIALECTS[name].maxIterationsDefault}`).join(', ');

export const start: Command = command({
  page: {
    name: 'start',
    synopsis: [
      'tireless start [GOAL] [--session ID] [--host NAME] [--check CMD]… [options]',
      'tireless start [GOAL] --dialect NAME [--template NAME | --from-todos FILE] [--claim TEXT] [--max-iterations N]',
    ],
    about: [
      "Arm a loop for a session of an agent: from now on the agent's stop hook calls tireless, and the agent continues until the work is proven done.",
      'The first prompt is printed, ready to paste to the agent; the first iteration begins now. A session has one loop at a time.',
      'With --dialect the state file of another tool is written into the project instead, and "tireless hook HOST --dialect NAME" starts',
      'its loop at the first stop. An active file is not overwritten. --max-iterations is then the number in the file, and how many turns that',
      `number allows depends on the document. Without it, the file gets its document's default: ${DIALECT_MAXIMA}.`,
    ],
    flags: {
      'Where it lives': WHERE_FLAGS,
      'The goal': GOAL_FLAGS,
      'What proves it (paths are relative to the project)': CHECK_FLAGS,
      'How it finishes': START_FINISH_FLAGS,
      'How long it may run': { ...START_LIMIT_FLAGS, ...TURN_FLAGS, ...WATCH_FLAGS },
      Output: { ...DRY_RUN_FLAG, ...START_OUTPUT_FLAGS },
    },
    examples: [
      'tireless start "make the tests pass" --check "npm test" --max-iterations 15',
      'tireless start "make the tests pass" --session 5f0c --host codex --check "npm test"',
      'tireless start "the cart is empty" --dialect stravinsky --template debug',
      'tireless start --dialect loop-mechanics --from-todos TODO.md',
    ],
    notes: [
      'D is a duration with its unit: 500ms, 90s, 30m, 4h, 1h30m. A number without a unit is refused.',
      ...PLAIN_EXIT_CODES,
    ],
  },
  flags: START_FLAGS,
  isForPeople: true,
  run: async (parsed, world) => {
    const { values: flags } = parsed;
    if (flags.dialect !== undefined) {
      const session = namedSession(flags, world);
      if (flags.host !== undefined && session === null)
        throw new Fault('USAGE', 'Cannot use --host alone with --dialect: it names the agent of --session.');
      const { startDialect } = await import('../start-dialect.ts');
      const started = await startDialect(parsed, session, world);
      const { dialect, file, loop, kept, reading, score, maximum, prompt } = started;
      const { goal, claim, criteria } = reading;
      const shown = {
        dialect,
        file,
        loop,
        session: started.session,
        kept,
        goal,
        claims: claim.texts,
        criteria: criteria.map((each) => each.text),
      };
      const scored = score === null ? {} : { score: { points: score.points, max: score.max, shape: score.shape } };
      if (flags.json) sayJson(world.stdout, { ...shown, iterationsMax: maximum, ...scored, prompt });
      else tell(world, stateFileLines(started), prompt);
      return 0;
    }
    const session = namedSession(flags, world) ?? noSession(flags);
    if (flags['dry-run']) return showOnly(parsed, session, world);
    const { armSession } = await import('../../setup/arm-session.ts');
    const { loaded, prompt } = await armSession({ ...(await startRequestOf(parsed, world)), session }, world);
    if (flags.json) sayJson(world.stdout, { loop: viewOf(loaded), prompt });
    else
      tell(
        world,
        [
          ...armedLines(loaded),
          ...(await proofLines(loaded, parsed.args)),
          ...(await hookLines(session, loaded.state.cwd, world)),
        ],
        prompt,
      );
    return 0;
  },
});

async function showOnly(parsed: StartParsed, session: SessionRef, world: World): Promise<number> {
  const { request, ...origins } = await plannedStart(parsed, world);
  const { loop, spec, cwd } = request;
  const { printDryRun } = await import('../dry-run.ts');
  const planned = { loop, spec, cwd, session, machine: thisMachine() };
  return printDryRun({ request: planned, ...origins }, parsed.values.json, world);
}

/** The line above names the proof; this one warns if there is none. */
async function proofLines(loaded: Loaded, args: readonly string[]): Promise<readonly string[]> {
  if (!isUnproven(loaded.spec)) return [];
  return [`  proof:    ${noCheckLine(await checkOfferOf(loaded, 'start', args))}`];
}

async function hookLines(session: SessionRef, project: string, world: World): Promise<readonly string[]> {
  const { hasHooks } = await import('../../setup/doctor/has-hooks.ts');
  return hasHooks(session, project, world)
    ? []
    : [
        `  missing:  no hook of tireless was found in ${session.host}, so its stops are not judged; install it: tireless install ${session.host}`,
      ];
}

/** The prompt for the agent, byte for byte, without anything that controls a terminal. */
function tell({ stdout }: World, lines: readonly string[], prompt: string): void {
  say(stdout, ...lines, '');
  if (stdout.isTTY) say(stdout, prompt);
  else stdout.write(`${prompt}\n`);
}

/** The typed session, or else the one in which this program was called. */
function namedSession(flags: StartFlags, { env }: World): SessionRef | null {
  const { host = DEFAULT_HOST, session } = flags;
  if (session !== undefined) return sessionFromFlags({ session, host });
  const variable = HOSTS[host].capabilities.sessionVariable;
  const id = variable === null ? '' : (env[variable] ?? '').trim();
  return id === '' ? null : { host, id };
}

function noSession({ host = DEFAULT_HOST }: StartFlags): never {
  throw new Fault(
    'USAGE',
    `No session was given, and no session of ${oneLine(host, 20)} is known here. Give --session ID, run this inside the session, or let "tireless run" start the agent.`,
  );
}
