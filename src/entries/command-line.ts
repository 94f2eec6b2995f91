import type { Failure } from '../cli/failure.ts';
import { failureOf, wantsJson } from '../cli/failure.ts';
import type { Input, Io, Output } from '../cli/io.ts';
import { rowsFor, say } from '../cli/io.ts';
import { main } from '../cli/main.ts';
import type { Services } from '../cli/services.ts';
import { Fault } from '../core/fault.ts';
import type { Store } from '../engine/ports.ts';
import { ignoringErrno } from '../system/errno.ts';
import { hideArguments } from '../system/hide-arguments.ts';
import { currentPlatform, tirelessHome } from '../system/paths.ts';
import { hookLeftMs, hurryHook, shortStopSeconds } from './hook-time.ts';

/** For a terminal that reports no width, or 0. */
const COLUMNS_UNKNOWN = 80;

/** Enough for the last line of nearly every agent. */
const ACTIVITY_BYTES_MAX = 64 * 1024;

/** Output that its reader has not read yet is kept in memory; an agent can print more than that. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/** The command line on real streams: the one place where a fault becomes a message and an exit code. */
export async function start(args: readonly string[], version: string): Promise<void> {
  const report = ({ exitCode, stderr, json }: Failure): void => {
    if (wantsJson(args)) process.stdout.write(`${JSON.stringify(json)}\n`);
    process.stderr.write(rowsFor(outputTo(process.stderr), stderr.trimEnd()));
    process.exitCode = exitCode;
  };
  hideArguments(args, '--holdout', `tireless ${args[0] ?? ''}`);
  for (const stream of [process.stdout, process.stderr]) {
    // The reader may disappear (`| head`, a closed terminal). The loop continues: it lives in the journal, not on the screen.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '')) process.exitCode = 1;
    });
  }
  process.on('uncaughtException', (error) => {
    report(failureOf(error, version));
    process.exit();
  });
  try {
    const io = realIo();
    const code = await main(args, { ...io, services: composeServices(warnOn(io)) });
    process.exitCode ??= code;
    // Everything was killed, so nothing that waited for it may be awaited.
    if (code === 130) process.exit();
  } catch (error) {
    report(failureOf(error, version));
  }
}

/** The streams of this process. `fallback`: for a program that works anywhere, the directory to use if the one it was started in was removed. */
export function realIo(fallback?: string): Io {
  return {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    stdin: inputFrom(process.stdin),
    env: process.env,
    cwd: ignoringErrno(() => process.cwd()) ?? fallback ?? failWithoutDirectory(),
  };
}

export function warnOn({ stderr }: Pick<Io, 'stderr'>): (sentence: string) => void {
  return (sentence) => say(stderr, `tireless: ${sentence}`);
}

/** What commands need on this machine: loops in files, checks as processes. Each part is loaded at its first use. */
export function composeServices(
  warn: (sentence: string) => void,
  home: () => string = () => tirelessHome(currentPlatform()),
): Services {
  let opened: Promise<Store> | undefined;
  const store = (): Promise<Store> => (opened ??= openStore(home(), warn));
  return {
    home,
    store,
    control: async () => (await import('./compose-loops.ts')).openControl(await store(), home()),
    trust: async () => (await import('../stores/trust.ts')).openTrust(home()),
    dialect: async (name) => (await import('./dialects.ts')).loadDialect(name),
    liveFile: async (spec, cwd) => (await import('./dialects.ts')).liveFileOf(spec, cwd),
    dialectExtras: async (name) => (await import('./dialects.ts')).loadDialectExtras(name, home()),
    session: async () => (await import('./compose-loops.ts')).openSession(await store(), home()),
    noteSession: async (loop, session) => (await import('./session-process.ts')).noteSession(home(), loop, session),
    sessionProcesses: async () => (await import('./session-process.ts')).openSessionProcesses(home()),
    noteOnce: async (loop, what) => (await import('../stores/note-once.ts')).noteOnce(home(), loop, what),
    wakeWorld: async (host, transcript) =>
      (await import('./wake-world.ts')).wakeWorldFor(
        host,
        transcript,
        (await import('./compose-loops.ts')).openControl(await store(), home()),
      ),
    hookLeftMs,
    hurryHook,
    shortStopSeconds,
    failedTurn: async (session, transcript) => (await import('./session-signs.ts')).failedTurnOf(session, transcript),
    sessionSigns: async (loaded, inHook) => (await import('./session-signs.ts')).signsOf(home(), loaded, inHook),
    logs: async (loop) => (await import('../stores/activity.ts')).activityLog(home(), loop).reader(),
    lastActivity: async (loop) =>
      (await import('../stores/activity.ts')).activityLog(home(), loop).readTail(ACTIVITY_BYTES_MAX),
    jobs: async (loop) => (await import('./compose-loops.ts')).checkJobsOf(home(), loop),
    endJobs: async (loop) => (await import('../evidence/end-jobs.ts')).endJobs(home(), loop),
    forget: async (loop, session) => {
      (await import('../stores/forget-loop.ts')).forgetLoop(home(), loop, session);
      await (await import('../evidence/end-jobs.ts')).endJobs(home(), loop);
    },
    pruner: async () => (await import('./prune-home.ts')).openPruner(home()),
    drive: async (request) => (await import('./compose-loops.ts')).driveHere(request, await store(), home()),
    serveMcp: async (tools) => (await import('./mcp-server.ts')).serveMcp(tools),
    agentCaller: async () => {
      const { agentCallerHere, isMarked } = await import('./agent-caller.ts');
      if (!isMarked()) return null;
      const loops = await store();
      return agentCallerHere(loops);
    },
    placedCaller: async () => {
      const open = (await store()).list({ ended: false });
      // Usually there is none, so nobody can be its agent.
      return open.length === 0 ? null : (await import('./agent-caller.ts')).placedCallerHere(open, home());
    },
    rooms: async () => (await import('./open-rooms.ts')).openRooms(home()),
    at: (elsewhere) => composeServices(warn, () => elsewhere),
  };
}

async function openStore(home: string, warn: (sentence: string) => void): Promise<Store> {
  const { openFileStore } = await import('../stores/file-store.ts');
  return openFileStore({ home, warn });
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY,
    columns: () => (stream.columns > 0 ? stream.columns : COLUMNS_UNKNOWN),
    write: (text) => void stream.write(text),
    isBehind: () => stream.writableLength > UNREAD_BYTES_MAX,
  };
}

function inputFrom(stream: NodeJS.ReadStream): Input {
  return {
    isTTY: stream.isTTY,
    chunks: async function* () {
      for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    },
  };
}

function failWithoutDirectory(): never {
  throw new Fault(
    'PROJECT_MISSING',
    'The current directory was removed. Change to another one, and run the command again.',
  );
}
