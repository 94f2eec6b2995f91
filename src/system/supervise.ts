import type * as ChildProcessModule from 'node:child_process';

/**
 * Watches one child process to its end. The three functions here also run as source text inside a worker thread
 * (`supervise-sync.ts`), so each may use only its parameters and Node's globals: nothing from this module, nothing
 * imported.
 */
export type SuperviseRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: string | undefined;
  readonly isWindows: boolean;
  /** The program reports on descriptor 3 (`contain.ts`). */
  readonly reports: boolean;
  readonly tailBytesMax: number;
  /** How long an open pipe may be silent after the exit before we stop reading: a detached grandchild holds it. */
  readonly drainQuietMs: number;
  /** The same for a pipe that is not silent. */
  readonly drainMsMax: number;
};

export type Tail = { readonly bytes: Uint8Array; readonly total: number };

export type Supervised = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Tail;
  readonly stderr: Tail;
  readonly durationMs: number;
  /** What it wrote to descriptor 3, if it reports. */
  readonly report?: Tail;
  /** Set if no process was created. */
  readonly failure?: { readonly errno: string; readonly message: string };
};

export type Supervision = {
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly done: Promise<Supervised>;
  /** Settles now, whatever the process does: for one that not even SIGKILL ends. */
  readonly abandon: () => void;
};

export type TailKeeper = { readonly push: (chunk: Uint8Array) => void; readonly end: () => Tail };

/** The last `bytesMax` bytes. Holds at most twice that, however much passes through and however small the pieces are. */
export function outputTail(bytesMax: number): TailKeeper {
  const PIECES_MAX = 512;
  let pieces: Uint8Array[] = [];
  let held = 0;
  let total = 0;
  const shrink = (): void => {
    const all = Buffer.concat(pieces, held);
    // Copied, so that the large buffer behind it can be freed.
    const kept = Uint8Array.from(all.subarray(Math.max(0, held - bytesMax)));
    pieces = [kept];
    held = kept.length;
  };
  return {
    push: (chunk) => {
      total += chunk.length;
      held += chunk.length;
      pieces.push(chunk);
      if (held > 2 * bytesMax || pieces.length > PIECES_MAX) shrink();
    },
    end: () => {
      shrink();
      return { bytes: pieces[0] ?? new Uint8Array(0), total };
    },
  };
}

/** Node throws some refusals (a command line too long, a NUL byte); others are events of the child. */
export function startChild(
  childProcess: Pick<typeof ChildProcessModule, 'spawn'>,
  request: SuperviseRequest,
): ChildProcessModule.ChildProcess | Error {
  try {
    return childProcess.spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.environment,
      // Its own group and session: it can be ended as a whole, and Ctrl-C in the terminal reaches only us.
      detached: !request.isWindows,
      stdio: [
        request.stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(request.reports ? ['pipe' as const] : []),
      ],
      windowsVerbatimArguments: request.isWindows,
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function followChild(
  child: ChildProcessModule.ChildProcess | Error,
  makeTail: typeof outputTail,
  request: SuperviseRequest,
  onOutput: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => void,
): Supervision {
  const start = performance.now();
  const tails = { stdout: makeTail(request.tailBytesMax), stderr: makeTail(request.tailBytesMax) };
  let received = 0;
  const report = makeTail(1000);
  let exitedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let settle: (end: Pick<Supervised, 'exitCode' | 'signal' | 'failure'>) => void;
  const done = new Promise<Supervised>((resolve) => {
    settle = (end) => {
      const durationMs = Math.round((exitedAt ?? performance.now()) - start);
      const outputs = { stdout: tails.stdout.end(), stderr: tails.stderr.end() };
      resolve({ ...end, ...outputs, ...(request.reports ? { report: report.end() } : {}), durationMs });
    };
  });
  const fail = (error: Error): void => {
    const errno = 'code' in error ? String(error.code) : 'UNKNOWN';
    settle({ exitCode: null, signal: null, failure: { errno, message: error.message } });
  };
  if (child instanceof Error) {
    fail(child);
    return { pid: undefined, done, abandon: () => undefined };
  }
  const finish = (exitCode: number | null, signal: string | null): void => {
    clearTimeout(timer);
    for (const pipe of child.stdio.slice(1)) pipe?.destroy();
    settle({ exitCode, signal });
  };
  const drain = (exitCode: number | null, signal: string | null): void => {
    const before = received;
    // The immediate runs after the event loop has read the available output, even if something blocked it longer than the timer.
    const check = (): void => {
      const isLong = performance.now() - (exitedAt ?? start) >= request.drainMsMax;
      if (received === before || isLong) finish(exitCode, signal);
      else drain(exitCode, signal);
    };
    timer = setTimeout(() => setImmediate(check), request.drainQuietMs);
  };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Uint8Array) => {
      received += chunk.length;
      tails[stream].push(chunk);
      onOutput(stream, chunk);
    });
  }
  child.stdio[3]?.on('data', report.push);
  child.on('error', (error) => (child.pid === undefined ? fail(error) : undefined));
  child.on('exit', (exitCode, signal) => {
    exitedAt = performance.now();
    drain(exitCode, signal);
  });
  child.on('close', finish);
  // A child that does not read its input, or exits before that, is not an error: the exit code shows the result.
  child.stdin?.on('error', () => child.stdin?.destroy());
  child.stdin?.end(request.stdin);
  return { pid: child.pid, done, abandon: () => finish(null, 'SIGKILL') };
}
