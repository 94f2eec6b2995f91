import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { git, put } from '../support/a-project.ts';
import { ROOT } from './pages.ts';

const COMMAND_MS_MAX = 60_000;

/** A reader at a terminal, with their own project, an empty home, and `tireless` and `my-agent` on the PATH. */
export type Session = {
  readonly run: (command: string) => Promise<Ran>;
  /** Starts it, and resolves once it has begun its first iteration. */
  readonly start: (command: string) => Promise<{ readonly end: Promise<Ran> }>;
  readonly write: (file: string, lines: readonly string[]) => void;
  readonly close: () => void;
};

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** The shop of every page: two bugs, two tests. */
const SHOP = {
  'package.json':
    '{ "name": "shop", "version": "1.0.0", "type": "module", "private": true, "scripts": { "test": "node --test" } }\n',
  '.gitignore': 'node_modules\n',
  'GOAL.md': 'make the tests pass\n',
  'src/price.js': 'export const add = (a, b) => a - b;\nexport const half = (p) => p * 2;\n',
  'test/price.test.js': [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    "import { add, half } from '../src/price.js';",
    "test('adds', () => assert.equal(add(1, 2), 3));",
    "test('halves', () => assert.equal(half(4), 2));\n",
  ].join('\n'),
};

/** `commandMsMax`: a command that takes longer is killed. `below`: where the project is created; paths are part of some screens. */
export function openSession(commandMsMax: number = COMMAND_MS_MAX, below: string = tmpdir()): Session {
  const folder = realpathSync(mkdtempSync(path.join(below, 'tireless-docs-')));
  const [project, home, bin] = ['shop', 'home', 'bin'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  mkdirSync(path.join(project, 'node_modules'), { recursive: true });
  // For `import … from 'tireless'`.
  symlinkSync(ROOT, path.join(project, 'node_modules', 'tireless'));
  put(project, SHOP);
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'a shop');
  const cli = path.join(ROOT, 'dist', 'cli.js');
  writeFileSync(path.join(bin, 'tireless'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  copyFileSync(fileURLToPath(new URL('my-agent.mjs', import.meta.url)), path.join(bin, 'my-agent'));
  writeFileSync(path.join(bin, 'package.json'), '{ "type": "module" }\n');
  for (const name of ['tireless', 'my-agent']) chmodSync(path.join(bin, name), 0o755);
  const env = environment({ bin, home, node: path.dirname(process.execPath) });
  const started: (() => void)[] = [];

  const begin = (command: string, onOutput: (said: string) => void): Promise<Ran> =>
    new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', withLoop(command, home)], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // Its own group, so that it can be ended as a whole.
        detached: true,
      });
      const kill = (): void => {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, 'SIGKILL');
      };
      const timer = setTimeout(kill, commandMsMax);
      started.push(kill);
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => onOutput((stdout += chunk.toString('utf8'))));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
      child.on('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr });
      });
    });

  return {
    run: (command) => begin(command, () => undefined),
    start: (command) =>
      new Promise((resolve) => {
        const end = begin(command, (said) => {
          if (/^iteration 1 /m.test(said)) resolve({ end });
        });
        // A command that ends earlier is judged by its exit code.
        void end.then(() => resolve({ end }));
      }),
    write: (file, lines) => {
      put(project, { [file]: `${lines.join('\n')}\n` });
      if (lines[0]?.startsWith('#!') === true) chmodSync(path.join(project, file), 0o755);
    },
    close: () => {
      for (const kill of started) kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Only what a program needs to start, and nothing from whoever runs the tests, perhaps inside a loop. */
function environment(place: { bin: string; home: string; node: string }): NodeJS.ProcessEnv {
  const kept = ['LANG', 'TMPDIR', 'TZ'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  );
  return {
    ...Object.fromEntries(kept),
    HOME: place.home,
    XDG_STATE_HOME: path.join(place.home, 'state'),
    PATH: [place.bin, place.node, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  };
}

/** On a page LOOP stands for an id: here, that of the newest loop. */
function withLoop(command: string, home: string): string {
  const loops = path.join(home, 'state', 'tireless', 'loops');
  return command.replaceAll(/\bLOOP\b/g, () => {
    const born = (name: string): number => statSync(path.join(loops, name, 'journal.jsonl')).birthtimeMs;
    return readdirSync(loops).toSorted((a, b) => born(b) - born(a))[0] ?? 'LOOP';
  });
}

/** The help that `tireless` prints. */
export function helpOf(...words: readonly string[]): string {
  const args = [path.join(ROOT, 'dist', 'cli.js'), 'help', ...words];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}
