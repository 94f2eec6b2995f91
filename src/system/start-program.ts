import { spawn } from 'node:child_process';
import { killEverything } from './kill.ts';

type StartRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete: nothing is inherited. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An entry of that environment (`NAME=value`) that everything it starts inherits. */
  readonly mark: string;
  readonly stdin: string;
};

export type StartedProgram = {
  /** Never rejects. `exitCode`: `null` = it did not start, or a signal ended it. `tail`: the end of its output. */
  readonly done: Promise<{ readonly exitCode: number | null; readonly tail: string }>;
  /** Ends it and everything that carries its mark. */
  readonly end: () => Promise<void>;
};

const TAIL_CHARS_MAX = 1000;
const GRACE_MS = 5000;

/** Starts someone else's program, without a shell, that may run for hours: only the end of its output is kept. */
export function startProgram({ file, args, cwd, environment, mark, stdin }: StartRequest): StartedProgram {
  let tail = '';
  const child = spawn(file, args, {
    cwd,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (tail = `${tail}${text}`.slice(-TAIL_CHARS_MAX)));
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(stdin);
  const done = new Promise<{ exitCode: number | null; tail: string }>((resolve) => {
    child.on('error', (error) => resolve({ exitCode: null, tail: error.message }));
    child.on('exit', (exitCode) => resolve({ exitCode, tail }));
  });
  const end = async (): Promise<void> => {
    await killEverything({
      pids: child.pid === undefined ? [] : [child.pid],
      environment: [mark],
      graceMs: GRACE_MS,
    });
  };
  return { done, end };
}
