/**
 * Vitest global setup: what the tests start as real programs is built before the first of them, once, and only when a
 * source has changed. `dist/` is the product as `npm run build` makes it; `dist-test/<name>.mjs` is every program in
 * test/support/programs, bundled with the sources it drives.
 *
 * A build that fails does not stop the run: unit tests need no bundle. Its old output is removed instead, so that a test
 * which does need it fails rather than judges yesterday's code.
 *
 * Each process builds in a folder of its own and then renames file by file, so a run that is already using `dist/` never
 * meets a half-written file.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { InputOptions, OutputOptions } from 'rolldown';
import { withBuildLock } from './build-lock.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = join(ROOT, 'dist');
const DIST_TEST = join(ROOT, 'dist-test');
const STAMP = join(DIST_TEST, '.stamp');
const PROGRAMS = join(ROOT, 'test/support/programs');
const SOURCES = [
  'src',
  'test/support',
  'rolldown.config.mjs',
  'tools',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

type ProductConfig = Omit<InputOptions, 'input'> & {
  readonly input: Readonly<Record<string, string>>;
  readonly output: OutputOptions;
};

export async function setup(): Promise<void> {
  mkdirSync(DIST_TEST, { recursive: true });
  await withBuildLock(join(DIST_TEST, '.lock'), async () => {
    if (!isFresh()) await buildEverything();
  });
}

/** Is what lies in `dist/` and `dist-test/` made from what lies in `src/`? */
function isFresh(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf(hashOf(SOURCES));
}

async function buildEverything(): Promise<void> {
  // Read before the build: a source that changes meanwhile makes the next run build again.
  const sources = hashOf(SOURCES);
  rmSync(STAMP, { force: true });
  const staging = join(DIST_TEST, `.staging-${process.pid}`);
  const failed: string[] = [];
  const attempt = async (name: string, from: string, to: string, build: () => Promise<void>): Promise<void> => {
    try {
      mkdirSync(from, { recursive: true });
      await build();
    } catch (error) {
      rmSync(from, { recursive: true, force: true });
      failed.push(`${name}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
    install(from, to);
  };
  await attempt('dist', join(staging, 'dist'), DIST, () => buildProduct(join(staging, 'dist')));
  await attempt('dist-test', join(staging, 'programs'), DIST_TEST, () =>
    buildPrograms(join(staging, 'programs'), failed),
  );
  rmSync(staging, { recursive: true, force: true });
  for (const message of failed) say(`NOT BUILT, tests that need it will fail. ${message}`);
  if (failed.length === 0) writeFileSync(STAMP, stampOf(sources));
}

/** The same as `npm run build`, somewhere else. Inputs that are not written yet are left out, by name. */
async function buildProduct(dir: string): Promise<void> {
  const { default: configs } = (await import(pathToFileURL(join(ROOT, 'rolldown.config.mjs')).href)) as {
    default: readonly ProductConfig[];
  };
  for (const { output, ...config } of configs) {
    const inputs = Object.entries(config.input);
    const present = inputs.filter(([, path]) => existsSync(join(ROOT, path)));
    for (const [name, path] of inputs)
      if (!existsSync(join(ROOT, path))) say(`no ${name} in dist: ${path} does not exist`);
    if (present.length > 0)
      await bundle({ ...config, input: Object.fromEntries(present) }, { ...output, dir, cleanDir: false });
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const types = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(dir, 'types')], {
    cwd: ROOT,
  });
  // Declarations are emitted all the same; `npm run check` is where a type error fails.
  if (types.status !== 0) say('the sources have type errors, "npm run build" lists them');
}

/** One bundle per program: one that does not build takes no other with it. */
async function buildPrograms(dir: string, failed: string[]): Promise<void> {
  const programs = existsSync(PROGRAMS) ? readdirSync(PROGRAMS).filter((name) => name.endsWith('.ts')) : [];
  for (const file of programs) {
    const name = file.replace(/\.ts$/, '');
    try {
      await bundle(
        {
          input: { [name]: join(PROGRAMS, file) },
          platform: 'node',
          external: [/^node:/, /^zod/],
          resolve: { mainFields: ['module', 'main'] },
          transform: {
            define: { __TIRELESS_VERSION__: JSON.stringify('0.0.0-test'), __STATE_STAMP__: JSON.stringify('test') },
          },
        },
        { dir, format: 'esm', entryFileNames: '[name].mjs', codeSplitting: false },
      );
    } catch (error) {
      failed.push(`dist-test/${name}.mjs: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
}

async function bundle(input: InputOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown({ ...input, cwd: ROOT, logLevel: 'warn' });
  try {
    await build.write(output);
  } finally {
    await build.close();
  }
}

/** Entries last: they name the chunks. What was not built again is removed. */
function install(from: string, to: string): void {
  const files = filesIn(from).toSorted((a, b) => depth(b) - depth(a));
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  for (const old of filesIn(to)) if (!files.includes(old)) rmSync(join(to, old));
}

function stampOf(sources: string): string {
  return JSON.stringify({ sources, output: hashOf(['dist', 'dist-test']) });
}

/** By content, not by time: a checkout, a revert and a deleted file are all seen. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const full = join(ROOT, path);
    if (!existsSync(full)) continue;
    const files = statSync(full).isDirectory() ? filesIn(full).filter((file) => !file.endsWith('.test.ts')) : [''];
    for (const file of files) hash.update(`${path}/${file}\0`).update(readFileSync(join(full, file)));
  }
  return hash.digest('hex');
}

/** Relative paths, sorted; what begins with a dot is ours (stamp, lock, staging), not output. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.name.startsWith('.'));
  return entries
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(folder, entry.name)).map((file) => join(entry.name, file)) : [entry.name],
    )
    .toSorted();
}

function depth(path: string): number {
  return path.split(/[\\/]/).length;
}

function say(message: string): void {
  process.stderr.write(`build-once: ${message}\n`);
}
