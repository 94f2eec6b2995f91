/**
 * Packages of the project that are declared only for development, and that only tests use: a crate under `[dev-dependencies]`, a workspace
 * package under `devDependencies`, a Python package in a development group. They judge the work like any helper of the tests. A package with
 * tests of its own is a product. Text in, folders out; bounded; never throws.
 */
import path from 'node:path';
import { isRecord } from '../../core/is-record.ts';
import { parseJson } from '../../core/parse-json.ts';
import type { Sources } from './test-helpers.ts';

const MANIFESTS_MAX = 300;
const FOR_TESTS =
  /(?:^|[/_-])(?:tests?|testing|test[-_]?(?:utils?|helpers?|support|kit|lib)|helpers?|support|harness|mocks?|fakes?|fixtures?|assertions?)(?:$|[_-])/i;
const RUST_TESTS = /#\[(?:cfg\(test\)|test\]|tokio::test)/;

/** `names`: by which code imports it. */
export type DevPackage = { readonly folder: string; readonly names: readonly string[] };

type Use = { readonly folder: string; readonly name: string; readonly by: string; readonly isDev: boolean };

/** npm and Python: declared only for development. Who imports them is not known here. */
export function devPackages(sources: Sources): readonly DevPackage[] {
  const uses = [...npmUses(sources), ...pythonUses(sources)];
  return devOnly(uses, sources).map((folder) => ({
    folder,
    names: [...new Set(uses.filter((use) => use.folder === folder).map(({ name }) => name))],
  }));
}

/** Rust: the declaration alone says that only tests use the crate. */
export function devCrates(sources: Sources): readonly string[] {
  const uses = cargoUses(sources);
  const manifestOf = (folder: string): string => sources.readText(`${folder}/Cargo.toml`) ?? '';
  return devOnly(uses, sources).filter((folder) => {
    const users = uses.filter((use) => use.folder === folder).map(({ by }) => by);
    // The tests of a workspace may be a crate of their own, which uses the product.
    if (users.every((by) => FOR_TESTS.test(by) || !hasSources(by, sources))) return false;
    if (FOR_TESTS.test(folder) || /^\s*publish\s*=\s*false/m.test(manifestOf(folder))) return true;
    // `macros` is tested with the crate that it is made for.
    return !uses.some(({ by }) => by === folder) && !sources.paths.includes(`${folder}/src/main.rs`);
  });
}

/** Folders in the project that are used for development alone, below none of their users and without tests of their own. */
function devOnly(uses: readonly Use[], sources: Sources): readonly string[] {
  const folders = [...new Set(uses.map(({ folder }) => folder))];
  return folders.filter((folder) => {
    const users = uses.filter((use) => use.folder === folder);
    const isInside = folder !== '' && folder !== '.' && !folder.startsWith('..');
    if (!isInside || !users.every(({ isDev }) => isDev)) return false;
    return !users.some(({ by }) => by.startsWith(`${folder}/`)) && !hasOwnTests(folder, sources);
  });
}

function hasOwnTests(folder: string, { paths, roleOf, readText, isLeftOut }: Sources): boolean {
  const inside = paths.filter((file) => file.startsWith(`${folder}/`) && !isLeftOut(file));
  // A folder such as `test/kit` makes everything in it a test.
  const isTestFolder = roleOf(`${folder}/x`) !== undefined;
  if (inside.some((file) => roleOf(file) === 'test' && !isTestFolder)) return true;
  return inside.some((file) => file.endsWith('.rs') && RUST_TESTS.test(readText(file) ?? ''));
}

function hasSources(folder: string, { paths }: Sources): boolean {
  return paths.some((file) => file.startsWith(join(folder, 'src/')) && file.endsWith('.rs'));
}

function manifestsOf({ paths, isLeftOut }: Sources, name: string): readonly string[] {
  return paths.filter((file) => path.posix.basename(file) === name && !isLeftOut(file)).slice(0, MANIFESTS_MAX);
}

function join(folder: string, name: string): string {
  const joined = path.posix.join(folder === '' ? '.' : folder, name);
  return joined === '.' ? '' : joined;
}

function folderOf(manifest: string): string {
  const folder = path.posix.dirname(manifest);
  return folder === '.' ? '' : folder;
}

function npmUses(sources: Sources): readonly Use[] {
  const manifests = manifestsOf(sources, 'package.json').flatMap((file) => {
    const value = parseJson(sources.readText(file) ?? '');
    return isRecord(value) ? [{ folder: folderOf(file), value }] : [];
  });
  const byName = new Map(manifests.map(({ folder, value }) => [value['name'], folder]));
  return manifests.flatMap(({ folder: by, value }) =>
    ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'].flatMap((key) => {
      const entries = isRecord(value[key]) ? Object.entries(value[key]) : [];
      return entries.flatMap(([name, version]): Use[] => {
        const given = /^(?:file|link|portal|workspace):(?<at>\.{0,2}[^*^~].*)$/.exec(String(version))?.groups?.['at'];
        const folder = byName.get(name) ?? (given === undefined ? undefined : join(by, given).replace(/\/$/, ''));
        return folder === undefined ? [] : [{ folder, name, by, isDev: key === 'devDependencies' }];
      });
    }),
  );
}

type Line = { readonly section: string; readonly key: string; readonly value: string };

/** Keys and values on one line; a dotted section keeps its last part as the key of its `path`. */
function tomlLines(text: string): readonly Line[] {
  let section = '';
  return text.split('\n').flatMap((line): Line[] => {
    const header = /^\s*\[+(?<name>[^\]]+)\]+/.exec(line)?.groups?.['name'];
    if (header !== undefined) section = header.trim();
    const { key, value } = /^\s*(?<key>[\w."-]+)\s*=\s*(?<value>.*)$/.exec(line)?.groups ?? {};
    return header !== undefined || key === undefined
      ? []
      : [{ section, key: key.replaceAll('"', ''), value: value ?? '' }];
  });
}

function pathIn(value: string): string | undefined {
  return /\bpath\s*=\s*["'](?<at>[^"']+)["']/.exec(value)?.groups?.['at'];
}

/** `[dev-dependencies]` with `a = { path = "a" }`, `[dev-dependencies.a]` with `path = "a"`, and `a.workspace = true`. */
function cargoUses(sources: Sources): readonly Use[] {
  const manifests = manifestsOf(sources, 'Cargo.toml').map((file) => ({
    by: folderOf(file),
    entries: tomlLines(sources.readText(file) ?? '').flatMap(cargoEntry),
  }));
  const shared = new Map(
    manifests.flatMap(({ by, entries }) =>
      entries.flatMap(({ kind, name, at }) =>
        kind === 'workspace' && at !== undefined ? [[name, join(by, at)] as const] : [],
      ),
    ),
  );
  return manifests.flatMap(({ by, entries }) =>
    entries.flatMap(({ kind, name, at }): Use[] => {
      const folder = at === undefined ? shared.get(name) : join(by, at);
      return kind === 'workspace' || folder === undefined
        ? []
        : [{ folder: folder.replace(/\/$/, ''), name, by, isDev: kind === 'dev' }];
    }),
  );
}

type CargoEntry = {
  readonly kind: 'dev' | 'other' | 'workspace';
  readonly name: string;
  readonly at: string | undefined;
};

function cargoEntry({ section, key, value }: Line): readonly CargoEntry[] {
  const found = /^(?<before>.*?)(?<dev>dev-|build-)?dependencies(?:\.(?<name>[\w-]+))?$/.exec(section)?.groups;
  if (found === undefined) return [];
  const kind = found['before'] === 'workspace.' ? 'workspace' : found['dev'] === 'dev-' ? 'dev' : 'other';
  const { name } = found;
  if (name !== undefined) {
    if (key !== 'path' && key !== 'workspace') return [];
    return [{ kind, name, at: key === 'path' ? value.replaceAll(/["'\s]/g, '') : undefined }];
  }
  return [{ kind, name: key.replace(/\.workspace$/, ''), at: pathIn(value) }];
}

/** poetry's groups, the sources of uv, and `-e ./kit` in a requirements file. */
function pythonUses(sources: Sources): readonly Use[] {
  const projects = manifestsOf(sources, 'pyproject.toml').flatMap((file) => {
    const text = sources.readText(file) ?? '';
    const by = folderOf(file);
    return tomlLines(text).flatMap(({ section, key, value }): Use[] => {
      const at = pathIn(value);
      if (at === undefined) return [];
      const folder = join(by, at).replace(/\/$/, '');
      const name = key.replaceAll('-', '_');
      if (section === 'tool.uv.sources') return [{ folder, name, by, isDev: !isRequired(text, key) }];
      const isDev = /^tool\.poetry\.(?:group\.[\w-]+\.dependencies|dev-dependencies)$/.test(section);
      return isDev || section === 'tool.poetry.dependencies' ? [{ folder, name, by, isDev }] : [];
    });
  });
  const lists = sources.paths.filter((file) => /(?:^|\/)requirements[^/]*\.txt$/.test(file)).slice(0, MANIFESTS_MAX);
  const listed = lists.flatMap((file) =>
    [...(sources.readText(file) ?? '').matchAll(/^\s*(?:-e|--editable)?[ \t=]*\.\/(?<at>[\w./-]+)/gm)].map(
      ({ groups }): Use => {
        const folder = join(folderOf(file), groups?.['at'] ?? '').replace(/\/$/, '');
        return {
          folder,
          name: path.posix.basename(folder).replaceAll('-', '_'),
          by: folderOf(file),
          isDev: /dev|test/i.test(file),
        };
      },
    ),
  );
  return [...projects, ...listed];
}

/** In the `dependencies` of the project itself. */
function isRequired(text: string, name: string): boolean {
  const list = /^dependencies\s*=\s*\[(?<list>[^\]]*)\]/m.exec(text)?.groups?.['list'] ?? '';
  return [...list.matchAll(/["'](?<name>[\w.-]+)/g)].some(({ groups }) => groups?.['name'] === name);
}
