import path from 'node:path';
import type { TaskFile } from './ecosystem.ts';
import type { ScriptReach } from './judge-scripts.ts';
import { isExpectation, isInSource, isJudgeFolder, isJudgeScript, judgeFolderAround } from './judge-scripts.ts';
import { foldersOf } from './path-index.ts';
import { ECOSYSTEMS } from './registry.ts';
import { parseShell } from './shell-words.ts';
import { readEntries, readRecipes, readScripts, readCommandLines } from './task-files.ts';
import { isRunner, nameOf, readRun, unwrap } from './unwrap.ts';

/** The files the checks consist of, found from their commands without running them. */
export type CalledFiles = {
  readonly scripts: ReadonlySet<string>;
  /** Files passed to a runner by name. */
  readonly tests: ReadonlySet<string>;
  /** Folders passed to a runner or an interpreter, which belong to the judge as a whole. */
  readonly folders: ReadonlyMap<string, 'test' | 'script'>;
  /** Every word of the commands and of what they call; programs by their base name. */
  readonly mentions: ReadonlySet<string>;
  /** Targets of make whose name no file had: if one appears, make may count the target as up to date and run nothing. */
  readonly targets: ReadonlyMap<string, { readonly needs: boolean }>;
};

export type ProjectFiles = {
  readonly paths: ReadonlySet<string>;
  readonly readText: (path: string) => string | undefined;
};

/** For example from a check to an npm script to a recipe to a script to a file it sources. */
const DEPTH_MAX = 8;
const TEXTS_MAX = 300;
const TEXT_LENGTH_MAX = 256 * 1024;
const MENTIONS_MAX = 20_000;
const PACKAGES_MAX = 200;
const INCLUDES_MAX = 50;

const TASK_FILES: readonly TaskFile[] = ECOSYSTEMS.flatMap(({ taskFiles = [] }) => taskFiles);

type CalledFrom = { readonly cwd: string; readonly depth: number; readonly isDirect: boolean };

type Follow = {
  readonly project: ProjectFiles;
  readonly folders: ReadonlySet<string>;
  readonly packages: readonly string[];
  readonly isProductEntry: (file: string) => boolean;
  readonly seen: Set<string>;
  readonly scripts: Set<string>;
  readonly tests: Set<string>;
  readonly judgeFolders: Map<string, 'test' | 'script'>;
  readonly mentions: Set<string>;
  readonly targets: Map<string, { readonly needs: boolean }>;
};

/** `at`: the folder in which the commands run, from the root of the project. */
export function followCommands(commands: readonly string[], project: ProjectFiles, at = ''): CalledFiles {
  const follow: Follow = {
    project,
    folders: new Set([...project.paths].flatMap(foldersOf)),
    packages: packagesIn(project),
    isProductEntry: productEntries(project),
    seen: new Set(),
    scripts: new Set(),
    tests: new Set(),
    judgeFolders: new Map(),
    mentions: new Set(),
    targets: new Map(),
  };
  for (const command of commands) followShell(follow, command, { cwd: at, depth: 0, isDirect: true });
  const { scripts, tests, judgeFolders, mentions, targets } = follow;
  return { scripts, tests, folders: judgeFolders, mentions, targets };
}

function followShell(follow: Follow, text: string, place: CalledFrom): void {
  const key = `${place.cwd}\0${place.isDirect}\0${text}`;
  if (place.depth > DEPTH_MAX || follow.seen.has(key) || follow.seen.size > TEXTS_MAX * 10) return;
  follow.seen.add(key);
  let { cwd } = place;
  for (const { words, isProbed } of parseShell(text)) {
    const own = unwrap(words);
    for (const word of words) {
      mention(follow, word);
      if (isExpectation(word)) addExpectation(follow, word, cwd);
    }
    const target = own[0] === 'cd' ? resolve(follow, own[1] ?? '', cwd, 'folder') : undefined;
    if (target !== undefined) cwd = target;
    else followInvocation(follow, own, { ...place, cwd }, isProbed);
  }
}

/** `--cov` of `--cov=src/shop` too. */
function mention({ mentions }: Follow, word: string): void {
  if (mentions.size >= MENTIONS_MAX) return;
  mentions.add(nameOf(word));
  if (word.startsWith('-')) mentions.add(word.replace(/=.*$/s, ''));
}

function followInvocation(follow: Follow, words: readonly string[], place: CalledFrom, isProbed: boolean): void {
  const [program = ''] = words;
  if (followTask(follow, words, place)) return;
  const run = readRun(words);
  if (isRunner(words)) return addTests(follow, words, place);
  if (COMPARES.test(nameOf(program))) return addExpected(follow, words, place);
  if (run === undefined) {
    if (program.includes('/')) reach(follow, program, place, isProbed);
    return;
  }
  for (const file of run.loaded) reach(follow, file, place, false);
  if (run.module !== undefined) followModule(follow, [run.module, ...run.rest], place, isProbed);
  else if (run.code !== undefined) followCode(follow, program, run.code, place);
  for (const file of run.files) reach(follow, file, place, isProbed);
}

/** `python -m pytest x.py`, `python -m tools.verify` */
function followModule(follow: Follow, words: readonly string[], place: CalledFrom, isProbed: boolean): void {
  const [name = ''] = words;
  mention(follow, name);
  const file = name.replaceAll('.', '/');
  const found = [`${file}.py`, `${file}/__main__.py`].find(
    (each) => resolve(follow, each, place.cwd, 'file') !== undefined,
  );
  if (found !== undefined) reach(follow, found, place, isProbed);
  else followInvocation(follow, words, { ...place, depth: place.depth + 1 }, isProbed);
}

function followCode(follow: Follow, program: string, code: string, place: CalledFrom): void {
  const next = { ...place, depth: place.depth + 1 };
  if (/^(?:ba|z|da|k|a|fi)?sh$/.test(nameOf(program))) followShell(follow, code, next);
  else followStrings(follow, code, { ...next, isDirect: false });
}

/** `diff - expected/out.txt`. Code and folders among the sources are product, whatever their names: `src/fixtures.js`, `src/cases/`. */
function addExpectation(follow: Follow, word: string, cwd: string): void {
  const file = resolve(follow, word, cwd, 'file');
  const folder = file === undefined ? resolve(follow, word, cwd, 'folder') : undefined;
  const isProduct = (named: string): boolean => follow.isProductEntry(named) || (isInSource(named) && CODE.test(named));
  if (file !== undefined && !isProduct(file)) follow.tests.add(file);
  if (folder !== undefined && !isInSource(folder)) follow.judgeFolders.set(folder, 'test');
}

/** Programs that compare files: what they are given is what is expected. */
const COMPARES = /^(?:diff|cmp|colordiff|git-diff)$/;
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php|go|rs|c|cc|cpp|h|hpp|java|kt|cs|swift)$/;

function addExpected(follow: Follow, words: readonly string[], { cwd }: CalledFrom): void {
  for (const word of words.slice(1)) {
    const file = word.startsWith('-') ? undefined : resolve(follow, word, cwd, 'file');
    if (file !== undefined && !CODE.test(file)) follow.tests.add(file);
  }
}

function addTests(follow: Follow, words: readonly string[], { cwd }: CalledFrom): void {
  // Doctest examples in the product's own comments do not make a file the judge's.
  if (words.some((word) => word.includes('doctest'))) return;
  for (const word of words.slice(1)) {
    const [plain = ''] = word.split('::');
    const file = resolve(follow, plain, cwd, 'file');
    const folder = file === undefined ? resolve(follow, plain, cwd, 'folder') : undefined;
    if (file !== undefined && !follow.isProductEntry(file)) follow.tests.add(file);
    if (folder !== undefined && isJudgeFolder(folder)) follow.judgeFolders.set(folder, 'test');
  }
}

function reach(follow: Follow, word: string, place: CalledFrom, isProbed: boolean): void {
  const file = resolve(follow, word, place.cwd, 'file');
  if (file === undefined) return reachOther(follow, word, place);
  const text = follow.project.readText(file)?.slice(0, TEXT_LENGTH_MAX) ?? '';
  const reached: ScriptReach = { isDirect: place.isDirect, isProbed, isShell: isShellScript(file, text) };
  if (!isJudgeScript(file, reached, follow.isProductEntry)) return;
  if (follow.scripts.has(file) || follow.scripts.size >= TEXTS_MAX) return;
  follow.scripts.add(file);
  const around = judgeFolderAround(file);
  if (around !== undefined && !follow.judgeFolders.has(around)) follow.judgeFolders.set(around, 'test');
  const inner = {
    cwd: path.posix.dirname(file) === '.' ? '' : path.posix.dirname(file),
    depth: place.depth + 1,
    isDirect: false,
  };
  if (reached.isShell) followShell(follow, text, inner);
  else followStrings(follow, text, inner);
}

/** A folder, or a file that does not exist yet: a file created later must not become the judge of its own author. Judged by its name only. */
function reachOther(follow: Follow, word: string, { cwd, isDirect }: CalledFrom): void {
  const folder = resolve(follow, word, cwd, 'folder');
  const byName: ScriptReach = { isDirect: false, isProbed: true, isShell: false };
  if (folder !== undefined) {
    const isTool = isJudgeScript(`${folder}/main`, { ...byName, isProbed: false }, follow.isProductEntry);
    if (isTool || isJudgeFolder(folder)) follow.judgeFolders.set(folder, 'script');
  } else if (isDirect && /^[\w.@+/-]+$/.test(word) && !word.startsWith('/')) {
    const missing = join(cwd, word);
    const isInside = missing !== '' && !missing.startsWith('..');
    if (isInside && isJudgeScript(missing, byName, follow.isProductEntry)) follow.scripts.add(missing);
  }
}

function isShellScript(file: string, text: string): boolean {
  return /\.(?:sh|bash|zsh|ksh)$/.test(file) || /^#!.*\b(?:ba|z|da|k|a)?sh\b/.test(text);
}

/** Code in another language: the modules it imports from beside itself, and every string that is a path or a command. */
function followStrings(follow: Follow, text: string, place: CalledFrom): void {
  if (place.depth > DEPTH_MAX) return;
  for (const [, name = ''] of text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)) {
    reach(follow, `${name.replace(/^\.+/, '').replaceAll('.', '/')}.py`, place, false);
  }
  for (const [, , string = ''] of text.matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.){1,500})\1/g)) {
    if (!/\s/.test(string)) mention(follow, string);
    if (/\s/.test(string.trim())) followShell(follow, string, place);
    else if (/[./]/.test(string)) {
      const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.rb', '.php', '.pl'];
      const found = endings.find((ending) => resolve(follow, string + ending, place.cwd, 'file') !== undefined);
      if (found !== undefined) reach(follow, string + found, place, false);
    }
  }
}

/** Follows scripts and recipes; returns whether the words call one. */
function followTask(follow: Follow, words: readonly string[], place: CalledFrom): boolean {
  const [program = '', ...rest] = words;
  const name = nameOf(program);
  const next = { ...place, depth: place.depth + 1 };
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(name)) return followPackage(follow, name, rest, next);
  if (/^(?:npm-run-all2?|run-s|run-p|turbo|lerna|nx|wireit)$/.test(name) || (name === 'node' && rest[0] === '--run')) {
    followScripts(follow, rest, follow.packages, next);
    return true;
  }
  if (name === 'concurrently') {
    for (const word of rest) {
      if (word.startsWith('npm:')) followScripts(follow, [word.slice(4)], [place.cwd], next);
      else if (/\s/.test(word)) followShell(follow, word, next);
    }
    return true;
  }
  if (name === 'composer') return followNamed(follow, { file: 'composer.json', key: 'scripts' }, rest, next);
  if (name === 'deno' && rest[0] === 'task')
    return followNamed(follow, { file: 'deno.json', key: 'tasks' }, rest, next);
  if (/^[gb]?make$/.test(name)) return followRecipes(follow, rest, ['GNUmakefile', 'makefile', 'Makefile'], next);
  if (name === 'just') return followRecipes(follow, rest, ['justfile', 'Justfile', '.justfile'], next);
  return followTaskFile(follow, name, next);
}

function followPackage(follow: Follow, name: string, rest: readonly string[], place: CalledFrom): boolean {
  const folder = valueOf(rest, ['--prefix', '-C', '--dir', '--cwd']);
  const cwd = folder === undefined ? place.cwd : (resolve(follow, folder, place.cwd, 'folder') ?? place.cwd);
  const isEverywhere = rest.some((word) =>
    /^(?:-w|--workspaces?|-ws|-r|--recursive|--filter|-F|workspaces?)(?:=|$)/.test(word),
  );
  const words = rest.filter((word) => !word.startsWith('-') && word !== folder);
  if (name === 'bun' && words[0] === 'test') return false;
  const at = words.findIndex((word) => word === 'run' || word === 'run-script');
  const aliases: Record<string, string> = { t: 'test', tst: 'test' };
  const called =
    at === -1 ? words.slice(0, isEverywhere ? 4 : 1).map((word) => aliases[word] ?? word) : words.slice(at + 1, at + 2);
  const before = follow.scripts.size + follow.seen.size;
  followScripts(follow, called, isEverywhere ? follow.packages : [cwd], { ...place, cwd });
  return name !== 'bun' || follow.scripts.size + follow.seen.size > before || at === -1;
}

function followScripts(follow: Follow, names: readonly string[], packages: readonly string[], place: CalledFrom): void {
  for (const folder of packages) {
    const scripts = readScripts(follow.project.readText(join(folder, 'package.json')), 'scripts');
    for (const name of names) {
      const matching = name.includes('*')
        ? [...scripts.keys()].filter((each) => each.startsWith(name.split('*')[0] ?? ''))
        : [name];
      for (const each of matching.flatMap((one) => [`pre${one}`, one, `post${one}`])) {
        const text = scripts.get(each);
        if (text !== undefined) followShell(follow, text, { ...place, cwd: folder });
      }
    }
  }
}

function followNamed(
  follow: Follow,
  { file, key }: { readonly file: string; readonly key: string },
  names: readonly string[],
  place: CalledFrom,
): boolean {
  const scripts = readScripts(follow.project.readText(join(place.cwd, file)), key);
  for (const name of names) {
    const text = scripts.get(name);
    if (text !== undefined) followShell(follow, text.replaceAll(/^@(?!php|putenv)/gm, 'composer '), place);
  }
  return true;
}

function followRecipes(follow: Follow, rest: readonly string[], names: readonly string[], place: CalledFrom): boolean {
  const folder = valueOf(rest, ['-C', '--directory', '-d', '--working-directory']);
  const cwd = folder === undefined ? place.cwd : (resolve(follow, folder, place.cwd, 'folder') ?? place.cwd);
  const named = valueOf(rest, ['-f', '--file', '--makefile', '--justfile']);
  const files = named === undefined ? names : [named];
  const file = files.map((each) => join(cwd, each)).find((each) => follow.project.paths.has(each));
  if (file === undefined) return true;
  const text = withIncludes(follow, file, cwd);
  const targets = rest.filter(
    (word) => !word.startsWith('-') && !word.includes('=') && word !== folder && word !== named,
  );
  const recipes = readRecipes(text);
  // just runs a recipe whatever files exist.
  if (!names.includes('justfile')) addTargets(follow, recipes.filesOf(targets), cwd);
  followShell(follow, recipes.linesOf(targets), { ...place, cwd });
  return true;
}

function addTargets(follow: Follow, targets: CalledFiles['targets'], cwd: string): void {
  for (const [name, target] of targets) {
    const file = join(cwd, name);
    if (!follow.project.paths.has(file) && !follow.folders.has(file)) follow.targets.set(file, target);
  }
}

/** As one text, with the file itself first: its first target is the default. */
function withIncludes(follow: Follow, file: string, cwd: string): string {
  const files = new Set([file]);
  const texts: string[] = [];
  for (const each of files) {
    const text = follow.project.readText(each)?.slice(0, TEXT_LENGTH_MAX) ?? '';
    texts.push(text);
    for (const include of readRecipes(text).includes.map((name) => join(cwd, name))) {
      if (files.size < INCLUDES_MAX && follow.project.paths.has(include)) files.add(include);
    }
  }
  for (const each of files) follow.scripts.add(each);
  return texts.join('\n');
}

function followTaskFile(follow: Follow, program: string, place: CalledFrom): boolean {
  const tasks = TASK_FILES.filter((each) => each.program === program);
  for (const { files, holds } of tasks) {
    const file = files.map((name) => join(place.cwd, name)).find((name) => follow.project.paths.has(name));
    const text = file === undefined ? '' : (follow.project.readText(file)?.slice(0, TEXT_LENGTH_MAX) ?? '');
    if (holds === 'lines') followShell(follow, readCommandLines(text), place);
    else followStrings(follow, text, place);
  }
  return tasks.length > 0;
}

/**
 * Resolves a word as a path of the baseline. A leading variable (`$DIR/lib.sh`) is dropped, and the rest is tried beside the script and
 * from the root.
 */
function resolve(follow: Follow, word: string, cwd: string, kind: 'file' | 'folder'): string | undefined {
  if (word.startsWith('/') || word.startsWith('~') || word === '') return undefined;
  const plain = word.replace(/^\$(?:\{[^}]*\}|\(\)|\w+)\/?/, '');
  const known = kind === 'file' ? follow.project.paths : follow.folders;
  return [join(cwd, plain), join('', plain), join(path.posix.dirname(cwd), plain)].find((each) => known.has(each));
}

function join(folder: string, name: string): string {
  const joined = path.posix.join(folder === '' ? '.' : folder, name).replace(/\/$/, '');
  return joined === '.' ? '' : joined;
}

function valueOf(words: readonly string[], options: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (options.includes(word)) return words[index + 1];
    const [option = '', value] = word.split('=', 2);
    if (value !== undefined && options.includes(option)) return value;
  }
  return undefined;
}

function packagesIn({ paths }: ProjectFiles): readonly string[] {
  return [...paths]
    .filter((file) => /(?:^|\/)package\.json$/.test(file) && !file.includes('node_modules/'))
    .slice(0, PACKAGES_MAX)
    .map((file) => file.slice(0, -'package.json'.length).replace(/\/$/, ''));
}

function productEntries(project: ProjectFiles): (file: string) => boolean {
  const entries = packagesIn(project).flatMap((folder) =>
    readEntries(project.readText(join(folder, 'package.json'))).map((entry) => join(folder, entry)),
  );
  const known = new Set(entries);
  return (file) => known.has(file) || known.has(file.replace(/\.\w+$/, ''));
}
