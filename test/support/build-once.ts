/**
 * Vitest global setup: builds the programs that the tests start, once before the first test, and only when a
 * source has changed. `dist/` is the product as `npm run build` makes it; `dist-test/<name>.mjs` is every program in
 * test/support/programs, bundled with the sources it drives.
 *
 * A build that fails does not stop the run: unit tests need no bundle. Its old output is removed instead, so that a test
 * that does need it fails instead of testing yesterday's code.
 *
 * Each process builds in a folder of its own and then renames file by file, so a run that is already using `dist/` never
 * reads a half-written file.
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

/** Were `dist/` and `dist-test/` built from the current `src/`? */
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

/** The same as `npm run build`, in another folder. Inputs that do not exist yet are left out, by name. */
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
  // Declarations are emitted anyway; a type error fails in `npm run check`.
  if (types.status !== 0) say('the sources have type errors, "npm run build" lists them');
}

/** One bundle per program, so that one that does not build does not affect the others. */
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

/** Entries last, because they name the chunks. What was not built again is removed. */
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

/** Hashes the content, not the times, so that a checkout, a revert and a deleted file are all noticed. */
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

/** Relative paths, sorted; names that begin with a dot are ours (stamp, lock, staging), not output. */
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
