import { spawn, spawnSync, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { ModelRequest, Script } from '../../../src/setup/fake-model/script.ts';
import { startFakeModel, type FakeModel } from '../../../src/setup/fake-model/server.ts';
import { newId } from '../../../src/system/ids.ts';
import { killEverything } from '../../../src/system/kill.ts';
import { git, put } from '../../support/a-project.ts';
import { installedClient } from './clients.ts';
import type { AgentRun, Launch, Launcher, Place } from './launch/launcher.ts';
import { LAUNCHERS } from './launch/launchers.ts';

const RUN_MS_MAX = 90_000;
const GRACE_MS = 500;
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const CACHE = fileURLToPath(new URL('../clients/', import.meta.url));
/** Every process of a world carries it, wherever it goes: agents start tools in their own sessions. */
const MARKER = 'TIRELESS_AGENT_TEST';

export type AgentResult = {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The requests that the model got while it ran. */
  readonly requests: readonly ModelRequest[];
};

type RunningAgent = {
  readonly pid: number;
  readonly done: Promise<AgentResult>;
  /** Signals the client itself and all its descendants. */
  readonly kill: (signal: NodeJS.Signals) => void;
};

/** A real client on its own machine, and a model that follows the test. Ends with the test. */
export type AgentWorld = {
  readonly host: HostId;
  readonly launcher: Launcher;
  readonly place: Place;
  readonly home: string;
  readonly project: string;
  readonly tirelessHome: string;
  readonly model: FakeModel;
  /** For every process of this world, complete: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly run: (run: AgentRun) => Promise<AgentResult>;
  readonly start: (run: AgentRun) => RunningAgent;
  readonly launch: (launch: Launch, cwd?: string) => RunningAgent;
  readonly sessionOf: (result: AgentResult) => string;
  /** The built command line, as the user of this world. */
  readonly tireless: (...args: readonly string[]) => { stdout: string; stderr: string; exitCode: number | null };
  /** While the model answers, with the client on its PATH: for commands that start agents. */
  readonly tirelessWithAgents: (...args: readonly string[]) => Promise<AgentResult>;
};

export async function agentWorld(
  host: HostId,
  script: Script,
  files: Readonly<Record<string, string>> = { 'README.md': 'A shop.\n' },
): Promise<AgentWorld> {
  const client = installedClient(host);
  const launcher = LAUNCHERS[host];
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-world-')));
  const [home, project, tmp, tirelessHome] = ['home', 'project', 'tmp', 'tireless'].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string];
  for (const directory of [home, project, tmp, tirelessHome]) mkdirSync(directory);
  put(project, files);
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '--allow-empty', '-m', 'all of it');
  const model = await startFakeModel(script);
  const marker = `${MARKER}=${newId()}`;
  onTestFinished(async () => {
    await killEverything({ pids: [], environment: [marker], graceMs: GRACE_MS });
    await model.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const cache = path.join(CACHE, host, 'node_modules/.cache');
  const place: Place = { home, project, tmp, cache, modelUrl: model.url, client: client.path };
  launcher.seed(place);
  const environment = cleanEnvironment({ home, tmp, tirelessHome, marker });
  const launch = (how: Launch, cwd = project): RunningAgent =>
    startClient(model, {
      file: client.path,
      how: { ...how, environment: { ...environment, ...how.environment } },
      cwd,
    });
  const start = (run: AgentRun): RunningAgent => {
    const how = launcher.headless(place, run);
    return launch({ ...how, environment: { ...how.environment, ...run.environment } }, run.cwd);
  };
  return {
    host,
    launcher,
    place,
    home,
    project,
    tirelessHome,
    model,
    environment,
    launch,
    start,
    run: async (run) => inTime(start(run), run.timeoutMs ?? RUN_MS_MAX, marker),
    sessionOf: (result) => {
      const session = launcher.sessionOf(result.stdout, place);
      if (session === undefined) throw new Error(`no session in the output:\n${result.stdout}\n${result.stderr}`);
      return session;
    },
    tireless: (...args) => {
      const ran = spawnSync(process.execPath, [CLI, ...args], { cwd: project, env: environment, encoding: 'utf8' });
      return { stdout: ran.stdout, stderr: ran.stderr, exitCode: ran.status };
    },
    tirelessWithAgents: async (...args) => {
      const { environment: own } = launcher.headless(place, { prompt: '' });
      const PATH = [path.dirname(client.path), path.join(path.dirname(cache), '.bin'), environment['PATH']].join(':');
      const how = { args: [CLI, ...args], environment: { ...environment, ...own, PATH } };
      return inTime(startClient(model, { file: process.execPath, how, cwd: project }), RUN_MS_MAX, marker);
    },
  };
}

/** Shows the output if it did not exit with 0. */
export function expectSuccess(result: AgentResult): void {
  if (result.exitCode === 0) return;
  throw new Error(`the client ended with ${result.exitCode ?? result.signal}:\n${result.stdout}\n${result.stderr}`);
}

function cleanEnvironment(world: {
  readonly home: string;
  readonly tmp: string;
  readonly tirelessHome: string;
  readonly marker: string;
}): Record<string, string> {
  const [name = '', value = ''] = world.marker.split('=');
  return {
    HOME: world.home,
    PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    TMPDIR: world.tmp,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    TIRELESS_HOME: world.tirelessHome,
    [name]: value,
  };
}

function startClient(
  model: FakeModel,
  { file, how, cwd }: { readonly file: string; readonly how: Launch; readonly cwd: string },
): RunningAgent {
  const before = model.requests.length;
  // Its own group, so that a signal from the terminal of whoever runs the tests does not reach it.
  const child = spawn(file, how.args, { cwd, env: how.environment, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => chunks[stream].push(chunk));
  }
  child.stdin.on('error', () => child.stdin.destroy());
  if (how.talk === undefined) child.stdin.end(how.stdin ?? '');
  else converse(child, how.talk);
  const text = (stream: 'stdout' | 'stderr'): string => Buffer.concat(chunks[stream]).toString('utf8');
  const done = new Promise<AgentResult>((resolve, reject) => {
    child.on('error', reject);
    // Not `close`: a tool that was left behind may hold the pipes open.
    child.on('exit', (exitCode, signal) => {
      const finish = (): void =>
        resolve({
          stdout: text('stdout'),
          stderr: text('stderr'),
          exitCode,
          signal,
          requests: model.requests.slice(before),
        });
      whenDrained(child, finish);
    });
  });
  return { pid: child.pid ?? 0, done, kill: (signal) => signalGroup(child, signal) };
}

function converse(child: ChildProcessWithoutNullStreams, talk: NonNullable<Launch['talk']>): void {
  const answer = (line: string | null): void => {
    const said = talk(line);
    if (said === 'end') child.stdin.end();
    else if (said !== null && child.stdin.writable) child.stdin.write(said.say);
  };
  answer(null);
  createInterface({ input: child.stdout }).on('line', answer);
}

const DRAIN_MS_MAX = 1000;

function whenDrained(child: ChildProcess, finish: () => void): void {
  const timer = setTimeout(finish, DRAIN_MS_MAX);
  child.once('close', () => {
    clearTimeout(timer);
    finish();
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
}

async function inTime(agent: RunningAgent, timeoutMs: number, marker: string): Promise<AgentResult> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void killEverything({ pids: [agent.pid], environment: [marker], graceMs: GRACE_MS });
  }, timeoutMs);
  const result = await agent.done;
  clearTimeout(timer);
  if (!isLate) return result;
  throw new Error(`the client did not end within ${timeoutMs} ms:\n${result.stdout}\n${result.stderr}`);
}
