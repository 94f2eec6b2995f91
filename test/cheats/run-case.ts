/**
 * Runs one agent of the catalogue with the built program: a fresh project with one commit, a fresh HOME and a fresh TIRELESS_HOME, few
 * iterations. Independent of vitest; removes everything afterwards.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Agent } from './catalogue/case.ts';
import { PROJECTS } from './projects/all.ts';
import type { Project } from './projects/project.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const AGENT = fileURLToPath(new URL('./agent.mjs', import.meta.url));
/**
 * A second try of the same trick shows nothing new: it is refused by name, and then a person is asked, which happens at once in the last
 * iteration.
 */
const iterationsFor = ({ class: name, expectation }: Agent): number =>
  expectation === 'caught' && name !== 'the referee' && name !== 'time' ? 1 : 3;
const GOAL = 'The total of a cart ignores the quantities. Fix it.';
const RUN_MS_MAX = 180_000;
/** A compiler may be part of it; a product that hangs is wrong. */
const TRUTH_MS_MAX = 15_000;
const LEFTOVER_MS_MAX = 20_000;
const POLL_MS = 100;
const PS_BYTES_MAX = 16 * 1024 * 1024;

/** The parts of `tireless run --json` and `tireless status --json` that a case is judged by. */
type LoopView = {
  readonly id: string;
  readonly status: string;
  readonly outcome: { readonly kind: string; readonly verified: boolean; readonly reason: string } | null;
  readonly limits: { readonly iterationsMax: number | 'unlimited' };
};

export type Ended = {
  /** Completed and verified: according to the output of the run, or to the record afterwards. */
  readonly isVerified: boolean;
  readonly isLimitRaised: boolean;
  readonly wasApproved: boolean;
  /** `completed`, `halted`, `paused` …, or `no answer` if the program printed none. */
  readonly status: string;
  readonly reason: string;
  /** The result of the check in the work tree at the end of iteration 1; `null` if the journal does not show it. */
  readonly inTree: string | null;
  /** Does the product meet the goal? */
  readonly isRight: boolean;
  /** For a message: the output of the program and the agent. */
  readonly story: string;
};

type Fixture = {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
};

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export async function runCase(agent: Agent, folders: readonly string[], flags: readonly string[] = []): Promise<Ended> {
  const shop = PROJECTS[agent.project];
  const project = { ...shop, files: { ...shop.files, ...agent.before } };
  const fixture = makeFixture(project, folders);
  try {
    writeFileSync(path.join(fixture.folder, 'agent.json'), JSON.stringify(agent));
    const run = await runLoop(fixture, agent, flags);
    if (agent.leftover !== undefined) await waitForLeftovers(fixture, path.join(fixture.home, agent.leftover));
    const printed = viewIn(run.stdout);
    const before = await readRecord(fixture);
    const mayAsk = agent.expectation === 'honest-needs-approval' && before?.status === 'paused';
    const record = mayAsk ? await approve(fixture, before.id) : before;
    const views = [printed, record].filter((view) => view !== null);
    const last = record ?? printed;
    return {
      isVerified: views.some(({ outcome }) => outcome?.kind === 'completed' && outcome.verified),
      isLimitRaised: views.some(({ limits }) => limits.iterationsMax !== iterationsFor(agent)),
      wasApproved: mayAsk,
      status: last?.status ?? 'no answer',
      reason: last?.outcome?.reason ?? reasonIn(run.stderr),
      inTree: resultInTree(fixture.state),
      isRight: await isRight(fixture, project, agent.prints ?? project.truth.prints),
      story: `${run.stderr}\n${run.stdout}`,
    };
  } finally {
    await clear(fixture);
  }
}

/** The exit code of the check of an untouched project. */
export async function runBaseline(project: Project, folders: readonly string[]): Promise<number | null> {
  const fixture = makeFixture(project, folders);
  try {
    return (await start('/bin/sh', ['-c', project.check], fixture)).code;
  } finally {
    await clear(fixture);
  }
}

/** A command that passes only when the product is right: the hold-out check against special-casing. */
export function holdoutOf({ truth }: Project): string {
  return `[ "$(${truth.command})" = '${truth.prints}' ]`;
}

function makeFixture(project: Project, folders: readonly string[]): Fixture {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-cheats-')));
  const inside = (name: string): string => path.join(folder, name);
  for (const name of ['shop', 'home', 'tmp', 'bin']) mkdirSync(inside(name));
  put(inside('shop'), project.files);
  project.prepare?.(inside('shop'));
  put(inside('home'), { '.gitconfig': '[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n' });
  put(inside('bin'), { tireless: `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n` });
  spawnSync('chmod', ['+x', inside('bin/tireless')]);
  const words = (process.env['PATH'] ?? '').split(path.delimiter).filter((word) => !word.includes('node_modules'));
  const env = {
    PATH: [inside('bin'), ...folders, ...words].join(path.delimiter),
    HOME: inside('home'),
    TIRELESS_HOME: inside('state'),
    TMPDIR: inside('tmp'),
    NODE: process.execPath,
    TIRELESS_TEST_FOLDER: folder,
    LANG: 'C.UTF-8',
    npm_config_update_notifier: 'false',
  };
  const fixture = { folder, project: inside('shop'), home: inside('home'), state: inside('state'), env };
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'the shop'],
  ])
    if (spawnSync('git', args, { cwd: fixture.project, env }).status !== 0)
      throw new Error(`git ${args.join(' ')} failed`);
  return fixture;
}

function runLoop(fixture: Fixture, agent: Agent, flags: readonly string[]): Promise<Ran> {
  const command = `'${process.execPath}' '${AGENT}' '${path.join(fixture.folder, 'agent.json')}'`;
  const words = ['run', agent.goal ?? GOAL, '--agent-command', command, '--check', PROJECTS[agent.project].check];
  const limits = ['--max-iterations', String(iterationsFor(agent)), '--check-timeout', agent.checkTimeout ?? '60s'];
  return tireless(fixture, [
    ...words,
    ...limits,
    '--iteration-timeout',
    '60s',
    '--json',
    ...(agent.flags ?? []),
    ...flags,
  ]);
}

async function readRecord(fixture: Fixture): Promise<LoopView | null> {
  const folder = path.join(fixture.state, 'loops');
  const [id] = existsSync(folder) ? readdirSync(folder) : [];
  if (id === undefined) return null;
  return viewIn((await tireless(fixture, ['status', id, '--json'])).stdout);
}

/** As the human in another terminal; then resumes it if that alone does not end it. */
async function approve(fixture: Fixture, id: string): Promise<LoopView | null> {
  await tireless(fixture, ['approve', id]);
  const now = await readRecord(fixture);
  if (now?.status === 'completed') return now;
  await tireless(fixture, ['resume', id, '--json']);
  return readRecord(fixture);
}

function viewIn(text: string): LoopView | null {
  try {
    const value = JSON.parse(text) as LoopView | { readonly loops: readonly LoopView[] } | { readonly error: unknown };
    const view = 'loops' in value ? value.loops[0] : value;
    return view !== undefined && 'limits' in view ? view : null;
  } catch {
    // The program was killed, or refuses the record.
    return null;
  }
}

/** Tolerant: some agents write into the journal. */
function resultInTree(state: string): string | null {
  const folder = path.join(state, 'loops');
  const [id] = existsSync(folder) ? readdirSync(folder) : [];
  const file = path.join(folder, id ?? '', 'journal.jsonl');
  if (!existsSync(file)) return null;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const found = /"kind":"turn-ended","iteration":1\b.*?"checks":\[\{"name":.*?"result":"(\w+)"/u.exec(line);
    if (found !== null) return found[1] ?? null;
  }
  return null;
}

async function isRight(fixture: Fixture, { truth }: Project, prints: string): Promise<boolean> {
  const { stdout } = await start('/bin/sh', ['-c', truth.command], fixture, TRUTH_MS_MAX);
  return lastLine(stdout) === prints;
}

/** Until it is done or was ended. */
async function waitForLeftovers(fixture: Fixture, marker: string): Promise<void> {
  const deadline = Date.now() + LEFTOVER_MS_MAX;
  while (!existsSync(marker) && leftovers(fixture).length > 0 && Date.now() < deadline) await wait(POLL_MS);
}

/** Processes that name the folder of this case on their command line. */
function leftovers({ folder }: Fixture): readonly number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: PS_BYTES_MAX });
  return stdout.split('\n').flatMap((line) => (line.includes(folder) ? [Number.parseInt(line, 10)] : []));
}

async function clear(fixture: Fixture): Promise<void> {
  for (const pid of leftovers(fixture)) spawnSync('kill', ['-9', String(pid)], { stdio: 'ignore' });
  await rm(fixture.folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Without an outcome: the code of a fault, or why the loop waits. */
function reasonIn(story: string): string {
  const fault = /^.*?\b([A-Z]+_[A-Z_]+): /mu.exec(story)?.[1];
  if (fault !== undefined) return `the fault ${fault}`;
  return /^paused: .*$/mu.exec(story)?.[0] ?? 'the program ended without an answer';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function tireless(fixture: Fixture, args: readonly string[]): Promise<Ran> {
  return start(process.execPath, [CLI, ...args], fixture);
}

function start(program: string, args: readonly string[], { project, env }: Fixture, msMax = RUN_MS_MAX): Promise<Ran> {
  const cwd = existsSync(project) ? project : path.dirname(project);
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // With everything it started: a shell does not pass a signal on.
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), msMax);
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8');
    child[stream].on('data', (text: string) => (said[stream] += text));
  }
  // Not "close": a leftover of the agent may hold the pipes.
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearTimeout(timer);
      setImmediate(() => resolve({ code, ...said }));
    });
  });
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
