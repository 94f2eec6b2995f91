import path from 'node:path';
import { NATIVE_CLAIM } from '../../core/claim.ts';
import type { SessionRef, Spec } from '../../core/loop.ts';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import { newSpec } from '../../engine/new-spec.ts';
import type { Loaded } from '../../engine/ports.ts';
import { fieldsOf, nameIn } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { TrialFile, TrialLaunch } from '../../hosts/trial.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { systemClock } from '../../system/clock.ts';
import { newLoopId, newUuid } from '../../system/ids.ts';
import { copyFolder, mirrorFolder, removeFolder } from '../../system/mirror-folder.ts';
import { realDirectory, temporaryDirectory } from '../../system/project.ts';
import { runProgram } from '../../system/run-program.ts';
import { oneLine } from '../../views/printable.ts';
import type { SetupWorld } from '../setup-world.ts';
import { armSession } from '../arm-session.ts';
import type { Script } from '../fake-model/script.ts';
import { startFakeModel } from '../fake-model/server.ts';
import { valueIn } from '../settings/json-text.ts';
import { disarmOnDemand } from '../settings/on-demand.ts';
import { userHome } from '../settings/installation.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';
import { plainEnvironment } from './plain-environment.ts';

const RUN_MS_MAX = 120_000;
const PRINTED_CHARS_MAX = 200;
const CLAIM = 'THE HOOK FIRED';

/** `cwd`: the project whose settings are used; `null` = the user's settings, with the client in an empty folder. */
export type TrialRequest = {
  readonly host: HostId;
  readonly program: string;
  readonly cwd: string | null;
  readonly fix: string;
  /** Aborted if the user does not want to wait. */
  readonly signal: AbortSignal;
};

/**
 * Starts the client once, without a screen, against our own model on the loopback, and waits for its stop to arrive: the model stops after
 * its first words, and only a hook that fires sends it back. Everything is removed afterwards, even if `signal` ends it early: the loop is
 * forgotten and the folder deleted.
 */
export async function runTrial(request: TrialRequest, world: SetupWorld): Promise<Finding> {
  const goal = `tireless doctor tries the hook out (${newUuid()})`;
  const scratch = temporaryDirectory('doctor');
  const cwd = trialFolder(request, scratch);
  ensureDir(cwd);
  const run = prepareRun({ host: request.host, goal, cwd }, world);
  const model = await startFakeModel(run.script);
  try {
    const launch = await launchOf(run, { request, scratch, url: model.url }, world);
    const ran = await runProgram({
      file: request.program,
      args: launch.args,
      cwd,
      environment: { ...plainEnvironment(world), ...launch.environment },
      ...(launch.stdin === undefined ? {} : { stdin: launch.stdin }),
      onOutput: run.onOutput,
      timeoutMs: RUN_MS_MAX,
      signal: request.signal,
    });
    return judge(request, { loop: await findLoop(goal, world), asked: model.requests.length, ran });
  } finally {
    await model.close();
    const loop = await findLoop(goal, world);
    if (loop !== undefined) await world.services.forget(loop.state.loop, loop.state.session);
    // Hooks that were added for the loop are removed with it.
    await disarmOnDemand(request.host, cwd, world);
    removeFolder(scratch);
  }
}

/** If a host trusts a folder by its path, only that very folder will do. */
function trialFolder({ host, cwd }: TrialRequest, scratch: string): string {
  return cwd === null || HOSTS[host].trial.showsProject === true ? path.join(scratch, 'project') : cwd;
}

type TrialRun = {
  readonly session: string;
  /** The prompt that the client is started with; calling this may arm a loop. */
  readonly prompt: () => Promise<string>;
  readonly script: Script;
  readonly onOutput: (stdout: string) => void;
};

const ITERATIONS_MAX = 3;
const TYPED_OPTIONS = `--claim ${JSON.stringify(CLAIM)} --max-iterations ${ITERATIONS_MAX} --no-repository-checks`;

function prepareRun(
  place: { readonly host: HostId; readonly goal: string; readonly cwd: string },
  world: SetupWorld,
): TrialRun {
  const { host, goal, cwd } = place;
  const { begin } = HOSTS[host].trial;
  const session = newUuid();
  let announce: ((id: string) => void) | undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const arm = async (id: string): Promise<string> => armTrial({ goal, session: { host, id }, cwd }, world);
  const typed = `/ralph ${JSON.stringify(goal)} ${TYPED_OPTIONS}`;
  return {
    session,
    prompt: async () => (begin === 'named' ? arm(session) : begin === 'typed' ? typed : goal),
    script: async ({ turn }) => {
      if (begin === 'announced' && turn === 1) await arm(await announced);
      // It claims to be done only after it was sent back.
      return { text: turn === 1 ? 'I stop here.' : `<promise>${CLAIM}</promise>` };
    },
    onOutput: (stdout) => {
      const [, id] = /"session_?[iI]d": ?"([^"]+)"/u.exec(stdout) ?? [];
      if (id !== undefined) announce?.(id);
    },
  };
}

async function launchOf(
  run: TrialRun,
  { request, scratch, url }: { readonly request: TrialRequest; readonly scratch: string; readonly url: string },
  world: SetupWorld,
): Promise<TrialLaunch> {
  const { host, cwd: project } = request;
  const folder = (variable: string | null, name: string): string =>
    (variable === null ? undefined : nameIn(world.env, variable)) ?? path.join(userHome(world), name);
  const { session } = run;
  const launch = HOSTS[host].trial.launch({ url, prompt: await run.prompt(), session, scratch, folder, project });
  prepare(launch, scratch);
  return launch;
}

async function armTrial(
  { goal, session, cwd }: { readonly goal: string; readonly session: SessionRef; readonly cwd: string },
  world: SetupWorld,
): Promise<string> {
  const request = {
    loop: newLoopId(systemClock().read()),
    spec: trialSpec(goal),
    session,
    cwd: realDirectory(cwd) ?? cwd,
    allowMissingCheck: false,
  };
  return (await armSession(request, { ...world, cwd })).prompt;
}

/** Like a loop that a user types. */
function trialSpec(goal: string): Spec {
  return newSpec(goal, 'session', {
    claim: { ...NATIVE_CLAIM, texts: [CLAIM] },
    claimRequired: true,
    limits: { ...DEFAULT_LIMITS, iterationsMax: ITERATIONS_MAX },
  });
}

function prepare({ mirrors = [], files = {} }: TrialLaunch, scratch: string): void {
  for (const { of, as, only, except = [], copied } of mirrors) {
    const own = Object.keys(files).filter((name) => path.dirname(name) === as);
    const hidden = new Set([...except, ...own.map((name) => path.basename(name))]);
    const isShown = (name: string): boolean => !hidden.has(name) && (only === undefined || only.includes(name));
    if (copied === true) copyFolder(of, path.join(scratch, as));
    else mirrorFolder(of, path.join(scratch, as), isShown);
  }
  for (const [name, text] of Object.entries(files)) {
    const mirror = mirrors.find(({ as }) => as === path.dirname(name));
    const before = mirror === undefined ? undefined : readTextIfExists(path.join(mirror.of, path.basename(name)));
    const content = contentOf(text, before);
    if (content === undefined) continue;
    const file = path.join(scratch, name);
    ensureDir(path.dirname(file));
    writeFileAtomic(file, content, { durable: false });
  }
}

/** `undefined` = there is nothing to copy. */
function contentOf(file: TrialFile, before: string | undefined): string | undefined {
  if (typeof file === 'string') return file;
  if ('copy' in file) return before;
  if ('text' in file) return before === undefined ? undefined : file.text(before);
  const settings = fieldsOf(valueIn({ file: 'settings.json', text: before ?? '' })) ?? {};
  return JSON.stringify(file.settings(settings));
}

async function findLoop(goal: string, world: SetupWorld): Promise<Loaded | undefined> {
  const store = await world.services.store();
  return store.list({ ended: 'both' }).find(({ spec }) => spec.goal === goal);
}

type Seen = {
  readonly loop: Loaded | undefined;
  readonly asked: number;
  readonly ran: Awaited<ReturnType<typeof runProgram>>;
};

function judge({ host, fix }: TrialRequest, { loop, asked, ran }: Seen): Finding {
  const about = 'fires';
  if (loop?.state.status === 'completed')
    return ok(host, { about, text: 'started it once without a network: its stop arrived, and the agent continued' });
  const printedText = oneLine([ran.stderr, ran.stdout].find((text) => text.trim() !== '') ?? '', PRINTED_CHARS_MAX);
  const end = ran.isLate
    ? `it did not end within ${RUN_MS_MAX / 1000} s`
    : `it ended with ${ran.exitCode ?? 'a signal'}`;
  if (asked === 0)
    return problem(host, {
      about,
      text: `started it once, and it never called the model (${end}${printedText === '' ? '' : `: ${printedText}`})`,
      fix: 'start it yourself and read its output; --no-start skips this part',
    });
  const counted = loop?.state.counted ?? 0;
  const what =
    counted > 0
      ? 'its stop arrived, but the agent was not sent back'
      : 'it ran, stopped, and no hook of tireless was called';
  return problem(host, { about, text: `started it once: ${what} (${end})`, fix });
}
