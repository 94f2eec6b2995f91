import { spawn } from 'node:child_process';
import { newId } from './ids.ts';
import { killEverything } from './kill.ts';

type ProgramRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Called with all output so far, each time there is more. */
  readonly onOutput?: (stdout: string) => void;
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
};

type ProgramResult = {
  /** `null` = it did not start, or was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isLate: boolean;
};

const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
const GRACE_MS = 500;
const DRAIN_MS_MAX = 1000;
/** All its processes carry this, wherever they go. */
const MARKER = 'TIRELESS_PROGRAM';

/**
 * Runs someone else's program with a clean environment, and ends any processes it leaves running. Never rejects; keeps only the first part of its
 * output.
 */
export async function runProgram(request: ProgramRequest): Promise<ProgramResult> {
  const id = newId();
  const kept = { stdout: '', stderr: '' };
  const child = spawn(request.file, request.args, {
    cwd: request.cwd,
    env: { ...request.environment, [MARKER]: id },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      if (kept[stream].length < OUTPUT_BYTES_MAX) kept[stream] += text;
      if (stream === 'stdout') request.onOutput?.(kept.stdout);
    });
  }
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(request.stdin ?? '');
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', (exitCode) => {
      // Processes left behind may hold the pipes open.
      const timer = setTimeout(() => resolve(exitCode), DRAIN_MS_MAX);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(exitCode);
      });
    });
  });
  let isLate = false;
  const everything = {
    pids: child.pid === undefined ? [] : [child.pid],
    environment: [`${MARKER}=${id}`],
    graceMs: GRACE_MS,
  };
  const timer = setTimeout(() => {
    isLate = true;
    void killEverything(everything);
  }, request.timeoutMs);
  const endEarly = (): void => void killEverything(everything);
  if (request.signal?.aborted === true) endEarly();
  request.signal?.addEventListener('abort', endEarly);
  const exitCode = await ended;
  clearTimeout(timer);
  request.signal?.removeEventListener('abort', endEarly);
  await killEverything({ ...everything, pids: [] });
  return { exitCode, ...kept, isLate };
}
