import { Fault } from '../core/fault.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import { buildSpec } from '../engine/spec/build-spec.ts';
import type { Configs } from '../engine/spec/config-defaults.ts';
import type { SpecOptions } from '../engine/spec/options.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import type { HostId } from '../hosts/ids.ts';
import { systemClock } from '../system/clock.ts';
import { newLoopId } from '../system/ids.ts';
import { readGoal } from './read-goal.ts';
import { SESSION_FLAGS } from './move-loop.ts';
import type { Flag, Parsed, Values } from './flags.ts';
import { parseFlags, text, toggle } from './flags.ts';
import type { Input } from './io.ts';
import { AGENT_FLAGS, CHECK_FLAGS, DRY_RUN_FLAG, FINISH_FLAGS, LIMIT_FLAGS } from './loop-flags.ts';
import { readConfigs } from './read-configs.ts';
import { projectDirectory } from '../system/project.ts';
import type { World } from './services.ts';
import { specOptions, TYPED_FLAGS } from './spec-options.ts';

type Text = Flag<string | undefined>;

type WhereTable = { readonly session: Text; readonly host: Flag<HostId | undefined>; readonly dialect: Text };
type GoalTable = Pick<typeof AGENT_FLAGS, 'cwd' | 'goal-file' | 'from-todos' | 'template'>;
type TurnTable = Pick<typeof AGENT_FLAGS, 'iteration-timeout' | 'pause-between'>;
type FinishTable = Omit<typeof FINISH_FLAGS, 'require-verified'>;
type StartTable = WhereTable &
  GoalTable &
  TurnTable &
  FinishTable &
  typeof CHECK_FLAGS &
  typeof LIMIT_FLAGS &
  typeof DRY_RUN_FLAG & { readonly json: Flag<boolean>; readonly observe: Flag<boolean> };

/** Which session, or which file. */
export const WHERE_FLAGS: WhereTable = {
  session: text('ID', 'the session for the loop (default: $CLAUDE_CODE_SESSION_ID)'),
  host: SESSION_FLAGS.host,
  dialect: text('NAME', `write the state file of ${DIALECT_NAMES.join(', ')} instead; its hook starts the loop`),
};

export const GOAL_FLAGS: GoalTable = {
  'goal-file': AGENT_FLAGS['goal-file'],
  'from-todos': AGENT_FLAGS['from-todos'],
  template: AGENT_FLAGS.template,
  cwd: AGENT_FLAGS.cwd,
};

/** No idle timeout: only a driver that owns the agent can notice that it is silent. */
export const TURN_FLAGS: TurnTable = {
  'iteration-timeout': {
    ...AGENT_FLAGS['iteration-timeout'],
    help: 'how long one iteration may take before its tools are refused (default: no limit)',
  },
  'pause-between': AGENT_FLAGS['pause-between'],
};

export const START_LIMIT_FLAGS: typeof LIMIT_FLAGS = {
  ...LIMIT_FLAGS,
  'max-iterations': {
    ...LIMIT_FLAGS['max-iterations'],
    help: 'at most N iterations, 1 to 10000 or "unlimited" (default 20); with --dialect, the number in the file',
  },
};

/** For a session in which something else already sends its agent back. */
export const WATCH_FLAGS: { readonly observe: Flag<boolean> } = {
  observe: toggle('only watch: judge and record every stop, never send the agent back'),
};

export const START_FINISH_FLAGS: FinishTable = withoutExitCode();
export const START_OUTPUT_FLAGS: { readonly json: Flag<boolean> } = { json: toggle('print one JSON object') };

export const START_FLAGS: StartTable = {
  ...WHERE_FLAGS,
  ...GOAL_FLAGS,
  ...CHECK_FLAGS,
  ...START_FINISH_FLAGS,
  ...START_LIMIT_FLAGS,
  ...TURN_FLAGS,
  ...WATCH_FLAGS,
  ...START_OUTPUT_FLAGS,
  ...DRY_RUN_FLAG,
};

export type StartParsed = Parsed<StartTable>;
export type StartFlags = Values<StartTable>;

type StartRequest = {
  readonly loop: LoopId;
  readonly spec: Spec;
  /** The project. */
  readonly cwd: string;
  readonly allowMissingCheck: boolean;
};

/**
 * Parses the text after a slash command into a request; the words are the goal, byte for byte. The session is the one it was typed in, and
 * stdin belongs to the hook, so nothing is read from it. Throws `USAGE`, and anything that reading the project throws.
 */
export async function parseStartRequest(
  args: readonly string[],
  { host, id }: SessionRef,
  world: World,
): Promise<StartRequest> {
  const parsed = parseFlags(START_FLAGS, args, 'start');
  if (parsed.help)
    throw new Fault(
      'USAGE',
      'No loop was started: leave out --help. In a terminal, "tireless help start" lists the options.',
    );
  for (const name of ['session', 'host', 'dialect', 'json', 'dry-run'] as const) {
    const given = parsed.values[name];
    if (given !== undefined && given !== false)
      throw new Fault('USAGE', `Cannot use --${name} here: the loop is for this session. Leave it out.`);
  }
  // Whatever is typed in a session becomes part of the conversation.
  if (parsed.values.holdout.length > 0)
    throw new Fault(
      'USAGE',
      `Cannot use --holdout here: the agent reads what you type in its session, and a hold-out check must stay hidden from it. In your own terminal: tireless start "GOAL" --session ${id} --host ${host} --holdout CMD`,
    );
  return startRequestOf(parsed, { ...world, stdin: NO_INPUT });
}

/** From parsed words and flags. */
export async function startRequestOf(parsed: StartParsed, world: World): Promise<StartRequest> {
  return (await plannedStart(parsed, world)).request;
}

type PlannedStart = {
  readonly request: StartRequest;
  readonly options: SpecOptions;
  readonly configs: Configs;
  readonly hasTemplateLimit: boolean;
};

/** With the files that its defaults came from. */
export async function plannedStart({ words, values: flags }: StartParsed, world: World): Promise<PlannedStart> {
  const cwd = projectDirectory(flags.cwd, world.cwd);
  const { goal, template, criteria } = await readGoal(words, flags, cwd, world);
  const configs = await readConfigs(cwd, { withProject: !flags['no-repository-checks'] }, world);
  const loop = newLoopId(systemClock().read());
  const options = startOptions(flags, criteria);
  const spec = buildSpec({ loop, goal, options, configs, template, driver: 'session' }, TYPED_FLAGS);
  const watching = flags.observe ? { observe: true as const } : {};
  const request = { loop, spec: { ...spec, ...watching }, cwd, allowMissingCheck: flags['allow-missing-check'] };
  return { request, options, configs, hasTemplateLimit: typeof template?.iterationsMax === 'number' };
}

/** `start` has some of the flags of `run`; the others count as not typed. */
export function startOptions(flags: StartFlags, criterion: readonly string[]): SpecOptions {
  return specOptions({ ...flags, criterion, json: 'no' });
}

/** The names of the typed flags. */
export function typedFlagNames(flags: StartFlags): readonly (keyof StartFlags)[] {
  // `Object.keys` loses the literal types of the table's names.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  const names = Object.keys(START_FLAGS) as (keyof StartFlags)[];
  return names.filter((name) => {
    const given: unknown = flags[name];
    return Array.isArray(given) ? given.length > 0 : given !== undefined && given !== false;
  });
}

const NO_INPUT: Input = {
  isTTY: true,
  chunks: async function* () {
    yield* [];
  },
};

/** Nothing waits for the end of a loop in a session, so no exit code could report it. */
function withoutExitCode(): FinishTable {
  const { 'require-verified': _, ...rest } = FINISH_FLAGS;
  return rest;
}
