import { Fault } from '../../core/fault.ts';
import type { Reply } from '../../core/reply.ts';
import type { ReplyForm } from '../../dialects/dialect.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import { buildChecks, buildRoom } from '../../engine/spec/build-checks.ts';
import type { Host } from '../../hosts/host.ts';
import { HOST_IDS, hostNamed } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { oneLine } from '../../views/printable.ts';
import { checkOptions } from '../check-options.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { failureOf } from '../failure.ts';
import { hookWorldOf } from '../hook-ports.ts';
import type { Input } from '../io.ts';
import { readInput } from '../io.ts';
import { APPROVAL_FLAGS, DAY_FLAGS, refuseApproval } from '../dialect-hook-flags.ts';
import { text, toggle, value } from '../flags.ts';
import { parsePayload, PAYLOAD_BYTES_MAX } from '../../hook/parse-payload.ts';
import { answerFully } from '../../hook/answer-full.ts';
import { faultReply, hostFaultReply } from '../../hook/fault-reply.ts';
import { AGENT_FLAGS, CHECK_FLAGS, FINISH_FLAGS, LIMIT_FLAGS } from '../loop-flags.ts';
import { outlastSignals } from '../../system/outlast-signals.ts';
import { parseDialect } from '../parse-dialect.ts';
import type { World } from '../services.ts';
import { roomOptions, TYPED_FLAGS, typedLimits } from '../spec-options.ts';
import { waitForRetryInFile, wakeWhenDue } from '../wake-agent.ts';

/** Set by the bundler from package.json. */
// oxlint-disable-next-line no-underscore-dangle -- Two underscores mean that no module defines it.
declare const __TIRELESS_VERSION__: string;

const FORM_FLAGS = {
  dialect: text('NAME', `drive the loop in the state file of ${DIALECT_NAMES.join(', ')}`),
  todos: text('FILE', 'the file of TODOs to list when the user submits a prompt (default .stravinsky/todos.json)'),
  wake: toggle('after a turn that failed: wait, then exit with 2 to wake the agent (for a hook with "asyncRewake")'),
  notice: toggle('the payload says that the host waits for the user'),
  reply: value('FORM', "how to answer: json, exit or ok (default: the dialect's own format)", replyForm),
} as const;
/** No flag for the iterations: their limit is in the state file. */
const EXTRA_FLAGS = {
  check: CHECK_FLAGS.check,
  holdout: CHECK_FLAGS.holdout,
  'check-exists': CHECK_FLAGS['check-exists'],
  'check-matches': CHECK_FLAGS['check-matches'],
  'check-json': CHECK_FLAGS['check-json'],
  'check-git-clean': CHECK_FLAGS['check-git-clean'],
  'check-report': CHECK_FLAGS['check-report'],
  'check-timeout': CHECK_FLAGS['check-timeout'],
  protect: FINISH_FLAGS.protect,
  free: FINISH_FLAGS.free,
  'room-keep': FINISH_FLAGS['room-keep'],
  'room-setup': FINISH_FLAGS['room-setup'],
  'no-room': FINISH_FLAGS['no-room'],
  'max-duration': LIMIT_FLAGS['max-duration'],
  'max-no-progress': LIMIT_FLAGS['max-no-progress'],
  'iteration-timeout': {
    ...AGENT_FLAGS['iteration-timeout'],
    help: 'how long one iteration may take before its tools are refused (default: no limit)',
  },
  'max-day-turns': DAY_FLAGS['max-day-turns'],
} as const;
const FLAGS = { ...FORM_FLAGS, ...EXTRA_FLAGS, ...APPROVAL_FLAGS } as const;

const answering: Command = command({
  page: {
    name: 'hook',
    synopsis: ['tireless hook HOST [--dialect NAME] [--reply json|exit|ok] [options]'],
    about: [
      "Called by the stop hook of an agent: the host's payload on stdin, the reply on stdout, and nothing else. With --dialect the loop",
      "lives in that tool's state file in the project; without it, in the session for which it was armed.",
      'Called when the user submits a prompt, it lists open TODOs where the document does (stravinsky), and counts nothing.',
      'When tireless itself fails, the agent may stop and the user is notified. It never traps an agent.',
    ],
    flags: {
      Options: FORM_FLAGS,
      'In addition to the state file': EXTRA_FLAGS,
      'Approval by a person (ralph-wiggum)': APPROVAL_FLAGS,
    },
    examples: [
      'tireless hook claude-code --dialect stravinsky',
      'tireless hook claude-code --dialect loop-mechanics --reply json --check "npm test"',
    ],
    notes: [
      `HOST is one of ${HOST_IDS.join(', ')}.`,
      'Exit codes: 0 · with --reply exit: 2, and the text on stderr, when the agent is sent back',
    ],
  },
  flags: FLAGS,
  run: async ({ words, values: flags }, world) => {
    const host = requireHost(words);
    const dialect = flags.dialect === undefined ? null : await world.services.dialect(parseDialect(flags.dialect));
    const limits = typedLimits(flags);
    const checks = buildChecks(checkOptions(flags), TYPED_FLAGS);
    const timeout = flags['iteration-timeout'];
    const timing = timeout === undefined ? {} : { iterationTimeoutMs: timeout };
    const dayTurnsMax = flags['max-day-turns'];
    const isMore =
      checks.length > 0 || Object.keys(limits).length > 0 || timeout !== undefined || dayTurnsMax !== undefined;
    if (dialect === null && (flags.reply !== undefined || flags.todos !== undefined || flags.wake || isMore))
      throw new Fault(
        'USAGE',
        'Cannot use these options without --dialect: a native loop has its own. Leave them out.',
      );
    const waker = flags.wake ? outlastSignals() : null;
    const payload = parsePayload(await payloadOf(world.stdin));
    const approval = {
      waitMs: flags['approval-wait'],
      after: flags['after-approval'],
      watchMs: flags['approval-watch'],
    };
    refuseApproval(dialect?.name, flags);
    const extras = {
      limits,
      checks,
      timing,
      protect: flags.protect,
      ...buildRoom(roomOptions(flags), checks),
      ...(dayTurnsMax === undefined ? {} : { dayTurnsMax }),
    };
    const inDialect =
      dialect === null
        ? null
        : { dialect, form: flags.reply ?? dialect.replyForm, extras, todos: flags.todos, approval, wakes: flags.wake };
    const code = writeReply(
      await answerFully(payload, { host, inDialect, isNotice: flags.notice }, hookWorldOf(world)),
      world,
    );
    if (waker === null || dialect === null) return code;
    waker.endAtSignal();
    return wakeWhenDue(waitForRetryInFile(payload, { host, dialect }, world), world);
  },
});

async function payloadOf(stdin: Input): Promise<Uint8Array | 'terminal' | 'too-long'> {
  return stdin.isTTY ? 'terminal' : ((await readInput(stdin, PAYLOAD_BYTES_MAX)) ?? 'too-long');
}

/** No fault reaches the entry: its exit code for wrong usage would send an agent back. */
export const hook: Command = {
  page: answering.page,
  flags: answering.flags,
  call: async (args, world) => {
    try {
      return await answering.call(args, world);
    } catch (error) {
      return writeReply(replyToFault(args, error), world);
    }
  },
};

function replyToFault(args: readonly string[], error: unknown): Reply {
  const { stderr } = failureOf(error, __TIRELESS_VERSION__);
  if (args.some((arg) => arg.startsWith('--dialect'))) return faultReply(formInArgs(args), stderr);
  return hostFaultReply(knownHost(args[0]), '', stderr);
}

/** For the fast hook, if something fails after it has begun to write. */
export function replyToFailure(id: string, { name, error }: { name: string; error: unknown }, world: World): number {
  return writeReply(hostFaultReply(knownHost(id), name, failureOf(error, __TIRELESS_VERSION__).stderr), world);
}

function knownHost(name: string | undefined): Host | undefined {
  const known = hostNamed(name);
  return known === undefined ? undefined : HOSTS[known];
}

function writeReply({ stdout, stderr, exitCode }: Reply, world: World): number {
  if (stdout !== '') world.stdout.write(stdout);
  if (stderr !== '') world.stderr.write(stderr);
  return exitCode;
}

function requireHost(words: readonly string[]): Host {
  const [name, ...more] = words;
  const known = hostNamed(name);
  if (known !== undefined && more.length === 0) return HOSTS[known];
  const why =
    name === undefined
      ? 'No host was named'
      : more.length > 0
        ? `Expected one host, but got ${words.length} words`
        : `There is no host "${oneLine(name, 60)}"`;
  throw new Fault('USAGE', `${why}. The hosts are ${HOST_IDS.join(', ')}.`);
}

function replyForm(given: string, name: string): ReplyForm {
  if (given === 'json' || given === 'exit' || given === 'ok') return given;
  throw new Fault('USAGE', `Cannot use "${oneLine(given, 60)}" for ${name}: it takes json, exit or ok.`);
}

const OK_DIALECTS = DIALECT_NAMES.filter((name) => DIALECTS[name].replyForm === 'ok');

/** Reads raw arguments, because the fault may be that they cannot be parsed. */
function formInArgs(args: readonly string[]): ReplyForm {
  return /(?:^|\0)--reply[=\0]ok(?:\0|$)/u.test(args.join('\0')) ||
    (!args.some((arg) => arg.startsWith('--reply')) &&
      args.some((arg) => OK_DIALECTS.some((name) => arg.endsWith(name))))
    ? 'ok'
    : 'json';
}
