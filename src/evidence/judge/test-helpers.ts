/**
 * Modules outside test folders that only tests use: the assertions in `lib/same.js` matter as much as the test that calls it. A product
 * that only its tests import looks much the same, so a module must also show that it was made for tests. In doubt it is the product's.
 */
import path from 'node:path';
import { configModules } from './config-modules.ts';
import type { DevPackage } from './dev-packages.ts';
import { devCrates, devPackages } from './dev-packages.ts';
import { importsIn, isSource, packageOf, resolveImport } from './imports.ts';
import type { JudgeRole } from './classify.ts';
import { readEntries } from './task-files.ts';
import type { TestData } from './test-data.ts';
import { findTestData } from './test-data.ts';

export type Helpers = {
  readonly files: readonly string[];
  /** Keys of `imports` in a `package.json` that lead to a judge's file and that only tests use. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Packages that tests import by name. */
  readonly packages: readonly string[];
  /** Data that only the judge reads; an older record has none. */
  readonly data?: TestData;
  /** What configuration imports or extends; an older record has none. */
  readonly config?: readonly string[];
};

export type Sources = {
  readonly paths: readonly string[];
  readonly roleOf: (file: string) => JudgeRole | undefined;
  /** Shared by product and judge. */
  readonly isShared: (file: string) => boolean;
  /** Dependencies, and files written by runners. */
  readonly isLeftOut: (file: string) => boolean;
  readonly readText: (file: string) => string | undefined;
};

/** In a larger project, helpers outside test folders are not searched for. */
const SOURCES_MAX = 5000;
const MANIFESTS_MAX = 200;
const PACKAGES_MAX = 500;
const FRAMEWORKS =
  /^(?:node:test|vitest|@?jest|@jest\/globals|mocha|ava|tap|tape|uvu|jasmine|chai|expect|sinon|should|supertest|nock|msw|testdouble|@playwright\/test|cypress|@testing-library\/.+|@vitest\/.+|bun:test|pytest|unittest|hypothesis|nose2?)(?:\/|$)/;
const ASSERTIONS = /^(?:node:)?assert(?:\/strict)?$/;
const MADE_FOR_TESTS =
  /^(?:[^/]+\/)*(?:support|helpers?|testing|test[-_]?(?:utils?|helpers?|support|lib)|testkit|harness|mocks?|stubs?|fakes?|factories|assertions?)(?:\/|\.\w+$)/;
const PRODUCT_FOLDER = /(?:^|\/)(?:src|app)\//;
const PRODUCT_FOLDERS = /(?:^|\/)(?:src|app|lib)\//;

type Module = { readonly file: string; readonly isTest: boolean; readonly names: readonly string[] };

export function findHelpers(sources: Sources): Helpers {
  const code = sources.paths.filter((file) => isSource(file) && !sources.isLeftOut(file));
  const isEntry = productEntries(sources);
  const crates = devCrates(sources);
  if (code.length > SOURCES_MAX) {
    const config = configModules({ ...sources, usersOf: undefined, isEntry });
    return { files: filesIn(crates, sources), aliases: {}, packages: [], config };
  }
  const known = new Set(sources.paths);
  const isFile = (file: string): boolean => known.has(file);
  const modules = code.map((file): Module => {
    const text = sources.readText(file) ?? '';
    return { file, isTest: sources.roleOf(file) !== undefined, names: importsIn(file, text) };
  });
  const aliases = readAliases(sources);
  const targets = new Map<string, readonly string[]>(
    modules.map(({ file, names }) => [
      file,
      names.flatMap((name) => {
        const found = resolveImport(name, file, isFile);
        return found === undefined ? aliasTargets(aliases, name, isFile) : [found];
      }),
    ]),
  );
  const targetsOf = ({ file }: Pick<Module, 'file'>): readonly string[] => targets.get(file) ?? [];
  const users = new Map<string, Module[]>();
  for (const module of modules)
    for (const target of new Set(targetsOf(module))) users.set(target, [...(users.get(target) ?? []), module]);
  const look: Look = {
    usersOf: (file) => users.get(file) ?? [],
    isEntry,
    stems: modules.filter(({ isTest }) => isTest).map(({ file }) => stemOf(file)),
    hasOther: (module, file) =>
      targetsOf(module).some((target) => target !== file && sources.roleOf(target) === undefined),
  };
  const packages = devPackages(sources).filter((each) => isOnlyForTests(each, modules, look));
  const declared = filesIn([...crates, ...packages.map(({ folder }) => folder)], sources);
  const helpers = new Set([...grow(modules, look), ...declared]);
  return {
    files: [...helpers].toSorted(),
    aliases: judgeAliases(aliases, modules, (file) => helpers.has(file) || sources.roleOf(file) !== undefined, sources),
    packages: packagesOf(modules.filter(({ file, isTest }) => isTest || helpers.has(file))),
    data: findTestData({
      ...sources,
      importsOf: (file) => targetsOf({ file }),
      roleOf: (file) => sources.roleOf(file) ?? (helpers.has(file) ? 'test' : undefined),
    }),
    config: configModules({ ...sources, usersOf: (file) => look.usersOf(file).map((user) => user.file), isEntry }),
  };
}

function filesIn(folders: readonly string[], { paths, roleOf, isLeftOut }: Sources): readonly string[] {
  const inside = paths.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
  return inside.filter((file) => roleOf(file) === undefined && !isLeftOut(file)).toSorted();
}

function isTool(name: string): boolean {
  return FRAMEWORKS.test(name) || ASSERTIONS.test(name);
}

/** Do only tests import this package, for something other than testing it? */
function isOnlyForTests({ folder, names }: DevPackage, modules: readonly Module[], { stems, hasOther }: Look): boolean {
  const isNamed = (name: string): boolean => names.some((own) => name === own || name.startsWith(`${own}/`));
  const isInside = ({ file }: Module): boolean => file.startsWith(`${folder}/`);
  const users = modules.filter((module) => !isInside(module) && module.names.some(isNamed));
  if (users.length === 0 || !users.every(({ isTest }) => isTest)) return false;
  if (stems.includes(stemOf(folder))) return false;
  const made = modules.filter((module) => isInside(module) && module.names.some(isTool));
  if (MADE_FOR_TESTS.test(`${folder}/`) || made.length > 0) return true;
  return users.every((user) => hasOther(user, folder));
}

type Look = {
  readonly usersOf: (file: string) => readonly Module[];
  readonly isEntry: (file: string) => boolean;
  readonly stems: readonly string[];
  /** Does this test import another file of the product? */
  readonly hasOther: (module: Module, file: string) => boolean;
};

/** A helper may be used by another helper: repeats until no more are found. */
function grow(modules: readonly Module[], look: Look): ReadonlySet<string> {
  const helpers = new Set<string>();
  const candidates = modules.filter(({ file, isTest }) => !isTest && !look.isEntry(file));
  for (let before = -1; before < helpers.size;) {
    before = helpers.size;
    for (const module of candidates) {
      const users = look.usersOf(module.file).filter((user) => user.file !== module.file);
      const isOnlyTests = users.length > 0 && users.every((user) => user.isTest || helpers.has(user.file));
      if (isOnlyTests && isMadeForTests(module, users, look)) helpers.add(module.file);
    }
  }
  return helpers;
}

function isMadeForTests({ file, names }: Module, users: readonly Module[], { stems, hasOther }: Look): boolean {
  const stem = stemOf(file);
  // If a test is named after the module, it tests that module.
  if (stems.some((test) => test.split(/[^a-z0-9]+/).includes(stem) || test === stem)) return false;
  if (names.some((name) => FRAMEWORKS.test(name))) return true;
  if (MADE_FOR_TESTS.test(file) && !PRODUCT_FOLDERS.test(file)) return true;
  const asserts = names.some((name) => ASSERTIONS.test(name)) && !PRODUCT_FOLDER.test(file);
  return asserts && users.every((user) => hasOther(user, file));
}

/** `price` of `test/price.test.js` and `tests/test_price.py`. */
function stemOf(file: string): string {
  const name = path.posix.basename(file).toLowerCase();
  return name
    .replace(/\.\w+$/, '')
    .replaceAll(/(?:^|[._-])(?:tests?|specs?)(?=$|[._-])/g, '')
    .replace(/^[._-]+/, '');
}

type Alias = { readonly manifest: string; readonly key: string; readonly targets: readonly string[] };

function manifestsIn({ paths, isLeftOut }: Sources): readonly string[] {
  return paths.filter((file) => /(?:^|\/)package\.json$/.test(file) && !isLeftOut(file)).slice(0, MANIFESTS_MAX);
}

function readAliases(sources: Sources): readonly Alias[] {
  return manifestsIn(sources).flatMap((manifest) => {
    const text = sources.readText(manifest);
    if (text?.includes('"imports"') !== true) return [];
    return Object.entries(importsOf(text)).map(([key, value]) => ({
      manifest,
      key,
      targets: stringsIn(value, 0).map((target) => path.posix.join(path.posix.dirname(manifest), target)),
    }));
  });
}

function importsOf(text: string): object {
  try {
    const { imports }: { imports?: unknown } = JSON.parse(text);
    return typeof imports === 'object' && imports !== null ? imports : {};
  } catch {
    return {};
  }
}

function stringsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 5) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
}

function aliasTargets(aliases: readonly Alias[], name: string, isFile: (file: string) => boolean): readonly string[] {
  return aliases.flatMap(({ key, targets }) => {
    const rest = restOf(key, name);
    return rest === undefined ? [] : targets.map((target) => target.replace('*', () => rest)).filter(isFile);
  });
}

/** What the star matches; `undefined` = the key does not match this name. */
function restOf(key: string, name: string): string | undefined {
  if (key === name) return '';
  const [start = '', end] = key.split('*');
  if (end === undefined || name.length < key.length - 1 || !name.startsWith(start) || !name.endsWith(end))
    return undefined;
  return name.slice(start.length, name.length - end.length);
}

function judgeAliases(
  aliases: readonly Alias[],
  modules: readonly Module[],
  isJudges: (file: string) => boolean,
  { paths }: Sources,
): Helpers['aliases'] {
  const own: Record<string, string[]> = {};
  for (const { manifest, key, targets } of aliases) {
    const users = modules.filter(({ names }) => names.some((name) => restOf(key, name) !== undefined));
    const meant = targets.flatMap((target) => paths.filter((file) => restOf(target, file) !== undefined));
    const isOwn = meant.length > 0 && meant.every(isJudges);
    if (isOwn && users.length > 0 && users.every(({ file }) => isJudges(file))) (own[manifest] ??= []).push(key);
  }
  return own;
}

function packagesOf(modules: readonly Module[]): readonly string[] {
  const found = modules.flatMap(({ names }) => names.map(packageOf).filter((name) => name !== undefined));
  return [...new Set(found)].toSorted().slice(0, PACKAGES_MAX);
}

function productEntries(sources: Sources): (file: string) => boolean {
  const entries = manifestsIn(sources).flatMap((manifest) =>
    readEntries(sources.readText(manifest)).map((entry) => path.posix.join(path.posix.dirname(manifest), entry)),
  );
  const known = new Set(entries);
  return (file) => known.has(file) || known.has(file.replace(/\.\w+$/, ''));
}
