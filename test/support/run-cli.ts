import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { aProject } from './a-project.ts';
import { cleanEnvironment } from './clean-environment.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

type RunOptions = {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** What a shell does first, such as `ulimit -f 2`. */
  readonly after?: string;
  /** Runs as another user of the machine; only root can. */
  readonly uid?: number;
};

type Running = {
  readonly child: ChildProcess;
  readonly end: Promise<Ran>;
  /** Resolves as soon as stdout or stderr contains the text; rejects if the program exits before that. */
  readonly says: (text: string) => Promise<void>;
};

/** A user of the built command line, with a project of their own, and a home for loops next to HOME. */
export type User = {
  readonly home: string;
  /** The environment of their programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly project: string;
  readonly tireless: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  readonly starts: (args: readonly string[], options?: RunOptions) => Running;
};

export function aUser(files: Readonly<Record<string, string>> = {}): User {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-home-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = aProject(files);
  const env = { ...cleanEnvironment(aProject()), TIRELESS_HOME: home };
  const starts = (args: readonly string[], options: RunOptions = {}): Running =>
    start(args, { cwd: project, ...options, env: { ...env, ...options.env } });
  return { home, project, env, starts, tireless: (args, options) => starts(args, options).end };
}

function start(args: readonly string[], { cwd, stdin, env, after, uid }: RunOptions): Running {
  const command = [process.execPath, CLI, ...args];
  const [file = '', ...rest] =
    after === undefined ? command : ['/bin/sh', '-c', `${after}; exec "$0" "$@"`, ...command];
  const child = spawn(file, rest, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  onTestFinished(() => void (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')));
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const said = (): string => Buffer.concat([...chunks.stdout, ...chunks.stderr]).toString('utf8');
  let onOutput: () => void = () => undefined;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      chunks[stream].push(chunk);
      onOutput();
    });
  }
  // A program that does not read its input may close it.
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(stdin ?? '');
  const end = new Promise<Ran>((resolve) => {
    child.on('close', (code) => {
      resolve({
        code,
        stdout: Buffer.concat(chunks.stdout).toString('utf8'),
        stderr: Buffer.concat(chunks.stderr).toString('utf8'),
      });
    });
  });
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      onOutput = () => {
        if (said().includes(text)) resolve();
      };
      onOutput();
      void end.then(() => reject(new Error(`ended without saying "${text}":\n${said()}`)));
    });
  return { child, end, says };
}
