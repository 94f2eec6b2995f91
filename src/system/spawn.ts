import * as childProcess from 'node:child_process';
import { statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { containCommand, parseReport, signalOf, type Cell, type CellReport } from './contain.ts';
import { newId } from './ids.ts';
import { findLeftovers, killEverything, killEverythingNow, sweepLeftovers, sweepLeftoversNow } from './kill.ts';
import { currentPlatform, type Platform } from './paths.ts';
import { superviseSync } from './supervise-sync.ts';
import { followChild, outputTail, startChild, type Supervised, type SuperviseRequest, type Tail } from './supervise.ts';

/**
 * Runs commands of users and agents in a shell, in their own process group, and keeps a bounded tail of their output. Every process started by one
 * carries `TIRELESS_SPAWN=<spawnId>` and is ended with it, even if it detached itself.
 */
export type SpawnRequest = {
  readonly command: string;
  readonly cwd: string;
  /** Added to our own environment; `undefined` removes a variable. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absent = empty input. */
  readonly stdin?: string;
  readonly tailBytesMax: number;
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
  readonly onStarted?: (pid: number) => void;
  /** Count the processes the command left running, but let them run. */
  readonly keepLeftovers?: boolean;
  /**
   * Run in a process namespace that dies with the command, if this machine supports one. Not for leftovers that are to be kept: they have to live
   * outside.
   */
  readonly contain?: Cell | undefined;
};

export type SpawnTrouble = 'not-found' | 'not-executable' | 'cwd-missing' | 'spawn-failed';

export type SpawnResult = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdoutTail: string;
  readonly stderrTail: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly durationMs: number;
  /**
   * `not-found` and `not-executable` are the shell's exit codes 127 and 126: only a hint, since a command inside a script
   * may return them too.
   */
  readonly trouble?: SpawnTrouble;
  readonly troubleDetail?: string;
  /** Processes that were still running after it ended by itself. */
  readonly leftovers: number;
};

export type Spawned = {
  readonly pid: number | undefined;
  readonly spawnId: string;
  /** Settles shortly after the exit, even if another process holds the pipes open. Never rejects. */
  readonly done: Promise<SpawnResult>;
  /** Ends it and all its processes; resolves when that is done. No effect once `done` has settled. */
  readonly kill: (graceMs: number) => Promise<void>;
};

export type SyncSpawnRequest = Omit<SpawnRequest, 'onOutput' | 'onStarted'> & { readonly timeoutMs: number };

const DRAIN_QUIET_MS = 250;
const DRAIN_MS_MAX = 1000;
/** Time after SIGKILL; a process that has not ended by then is stuck inside the system. */
const AFTER_KILL_MS = 2000;
const TROUBLE_DETAIL_LENGTH_MAX = 300;

export function spawnCommand(request: SpawnRequest): Spawned {
  const spawnId = newId();
  const environment = [spawnEntry(spawnId)];
  const supervised = superviseRequest(request, spawnId);
  const output = textOutput(request.onOutput);
  const child = followChild(startChild(childProcess, supervised), outputTail, supervised, output.push);
  const { pid } = child;
  const killWithoutAsking = supervised.reports ? pid : undefined;
  if (pid !== undefined) request.onStarted?.(pid);
  let isDone = false;
  let killing: Promise<unknown> | undefined;
  const finish = async (): Promise<SpawnResult> => {
    const ended = await child.done;
    output.end();
    let leftovers = 0;
    const report = reportOf(ended);
    if (killing !== undefined) await killing;
    else if (report?.kind === 'ended') leftovers = report.left;
    else if (pid !== undefined) {
      const command = { pid, environment, durationMs: ended.durationMs };
      leftovers = request.keepLeftovers === true ? findLeftovers(command).length : await sweepLeftovers(command);
    }
    isDone = true;
    return resultOf(ended, request.cwd, leftovers);
  };
  return {
    pid,
    spawnId,
    done: finish(),
    kill: async (graceMs) => {
      if (isDone || pid === undefined) return;
      const current = killEverything({ pids: [pid], environment, graceMs, killWithoutAsking });
      killing = killing === undefined ? current : Promise.all([killing, current]);
      const report = await current;
      if (report.survivors.includes(pid)) child.abandon();
    },
  };
}

/** For callers that cannot wait in the event loop; blocks at most `timeoutMs`, plus a few seconds to end a command that overran it. */
export function runCommandSync(request: SyncSpawnRequest): SpawnResult & { readonly timedOut: boolean } {
  const spawnId = newId();
  const environment = [spawnEntry(spawnId)];
  const child = superviseSync(superviseRequest(request, spawnId));
  try {
    const ended = child.wait(request.timeoutMs);
    if (ended === undefined) {
      killEverythingNow({ pids: child.pid === undefined ? [] : [child.pid], environment });
      const killed = child.wait(AFTER_KILL_MS) ?? abandoned(request.timeoutMs);
      return { ...resultOf(killed, request.cwd, 0), timedOut: true };
    }
    const report = reportOf(ended);
    if (report?.kind === 'ended') return { ...resultOf(ended, request.cwd, report.left), timedOut: false };
    if (child.pid === undefined) return { ...resultOf(ended, request.cwd, 0), timedOut: false };
    const command = { pid: child.pid, environment, durationMs: ended.durationMs };
    const leftovers = request.keepLeftovers === true ? findLeftovers(command).length : sweepLeftoversNow(command);
    return { ...resultOf(ended, request.cwd, leftovers), timedOut: false };
  } finally {
    child.close();
  }
}

function spawnEntry(spawnId: string): string {
  return `TIRELESS_SPAWN=${spawnId}`;
}

function superviseRequest(request: SpawnRequest | SyncSpawnRequest, spawnId: string): SuperviseRequest {
  const isFree = request.contain === undefined || request.keepLeftovers === true;
  const cell = isFree ? undefined : containCommand(request.command, request.contain);
  return {
    ...shellFor(request.command, currentPlatform()),
    ...cell,
    reports: cell !== undefined,
    cwd: request.cwd,
    environment: { ...process.env, ...request.environment, TIRELESS_SPAWN: spawnId },
    stdin: request.stdin,
    tailBytesMax: request.tailBytesMax,
    drainQuietMs: DRAIN_QUIET_MS,
    drainMsMax: DRAIN_MS_MAX,
  };
}

/** `/s` makes cmd.exe strip exactly the outer quotes and leave the user's own alone. */
export function shellFor(command: string, platform: Platform): Pick<SuperviseRequest, 'file' | 'args' | 'isWindows'> {
  if (platform.os !== 'win32') return { file: '/bin/sh', args: ['-c', command], isWindows: false };
  return { file: platform.env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], isWindows: true };
}

/** Text for the listener; characters that arrive in two pieces are put together. */
function textOutput(listener: SpawnRequest['onOutput']): {
  push: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => void;
  end: () => void;
} {
  if (listener === undefined) return { push: () => undefined, end: () => undefined };
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const pass = (stream: 'stdout' | 'stderr', text: string): void => {
    if (text !== '') listener(stream, text);
  };
  return {
    push: (stream, chunk) =>
      pass(stream, decoders[stream].write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))),
    end: () => {
      for (const stream of ['stdout', 'stderr'] as const) pass(stream, decoders[stream].end());
    },
  };
}

function resultOf(ended: Supervised, cwd: string, leftovers: number): SpawnResult {
  const stderrTail = textOf(ended.stderr);
  return {
    ...endingOf(ended),
    stdoutTail: textOf(ended.stdout),
    stderrTail,
    stdoutBytes: ended.stdout.total,
    stderrBytes: ended.stderr.total,
    durationMs: ended.durationMs,
    ...troubleOf(ended, cwd, stderrTail),
    leftovers,
  };
}

/** The report of the namespace it ran in; `undefined` = it ran in none. */
function reportOf({ report }: Supervised): CellReport | undefined {
  return report === undefined ? undefined : parseReport(textOf(report));
}

/** A namespace passes on a signal as 128 + n, as shells do. */
function endingOf(ended: Supervised): Pick<SpawnResult, 'exitCode' | 'signal'> {
  const { exitCode, signal } = ended;
  const report = reportOf(ended);
  if (report?.kind === 'not-begun') return { exitCode: null, signal };
  const name = exitCode !== null && report?.kind === 'ended' && report.isSignalled ? signalOf(exitCode) : undefined;
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

function troubleOf(
  ended: Supervised,
  cwd: string,
  stderrTail: string,
): { trouble?: SpawnTrouble; troubleDetail?: string } {
  if (ended.failure !== undefined) {
    // The system reports a missing working directory as if the shell were missing.
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return { trouble: 'cwd-missing', troubleDetail: `The directory ${cwd} does not exist.` };
    }
    return { trouble: 'spawn-failed', troubleDetail: ended.failure.message.slice(0, TROUBLE_DETAIL_LENGTH_MAX) };
  }
  // If a namespace was killed before it began, the signal shows that.
  if (reportOf(ended)?.kind === 'not-begun' && ended.signal === null)
    return { trouble: 'spawn-failed', troubleDetail: stderrTail.trim().slice(0, TROUBLE_DETAIL_LENGTH_MAX) };
  const trouble = ended.exitCode === 127 ? 'not-found' : ended.exitCode === 126 ? 'not-executable' : undefined;
  if (trouble === undefined) return {};
  const lastLine = stderrTail.trimEnd().split('\n').at(-1) ?? '';
  return { trouble, troubleDetail: lastLine.slice(0, TROUBLE_DETAIL_LENGTH_MAX) };
}

/** Starts at a character boundary: a tail that begins inside a character would show a wrong one. */
function textOf(tail: Tail): string {
  let start = 0;
  if (tail.total > tail.bytes.length) while (start < 3 && ((tail.bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return Buffer.from(tail.bytes.buffer, tail.bytes.byteOffset + start, tail.bytes.byteLength - start).toString('utf8');
}

function abandoned(durationMs: number): Supervised {
  const nothing = { bytes: new Uint8Array(0), total: 0 };
  return { exitCode: null, signal: 'SIGKILL', stdout: nothing, stderr: nothing, durationMs };
}
