/**
 * Data outside test folders that only the judge reads while it runs: expected values, cases, settings of a check's own script. Found from
 * the strings of tests and scripts of the baseline. Whatever product code names as well, or what a test is about, is the product's.
 */
import path from 'node:path';
import type { JudgeRole } from './classify.ts';
import { isSource } from './imports.ts';
import { isInSource, isJudgeScript } from './judge-scripts.ts';
import type { NamedPath } from './named-paths.ts';
import { codeLines, isShellFile, namedPaths } from './named-paths.ts';
import { foldersOf } from './path-index.ts';
import type { Sources } from './test-helpers.ts';

/** `importsOf`: the project's files that a source file imports. `roleOf` includes the modules that only tests use. */
export type DataSources = Sources & { readonly importsOf: (file: string) => readonly string[] };

/** By path; a folder ends with a slash, and stands for all files in it. */
export type TestData = Readonly<Record<string, 'fixture' | 'config'>>;

const READERS_MAX = 3000;
const PRODUCT_MAX = 5000;
const DATA_MAX = 2000;

const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|go|rs|java|kt|kts|scala|php|c|h|cc|cpp|hpp|cxx|cs|swift|m|ex|exs|erl|clj|lua|pl|pm|r|jl|hs|dart|zig|nim|sh|bash|zsh|bats|vue|svelte|astro)$/i;
const PLAIN =
  /\.(?:jsonl?|ndjson|json5|jsonc|geojson|ya?ml|toml|txt|text|csv|tsv|xml|ini|cfg|conf|properties|dat|data|bin|in|out|ans|exp|expected|golden|gold|ref|log|lst|list|tap|hex|b64|plist|edn|eml|ics)$/i;
/** Deliverables that tests often inspect. */
const DELIVERED =
  /(?:^|\/)(?:public|static|assets|dist|build|docs?|locales?|i18n|lang|translations|messages|templates|views|migrations|\.github|\.vscode)\/|(?:^|\/)(?:[A-Z][A-Z_-]+(?:\.\w+)?|package(?:-lock)?\.json|composer\.(?:json|lock)|(?:\w+[.-])?manifest\.\w+|(?:openapi|swagger|schema|asyncapi)\.\w+|[\w-]+\.schema\.json|action\.ya?ml|requirements[\w-]*\.txt|robots\.txt|(?:vercel|netlify|firebase|wrangler|app|fly|render)\.\w+|(?:docker-)?compose[\w.-]*|pnpm-lock\.yaml|[\w-]+\.lock|VERSION|version\.\w+)$/;
const FOR_TESTS =
  /(?:^|[/._-])(?:test-?cases?|(?<!use[._-])cases?|expected|expectations?|goldens?|gold|references?|fixtures?|snapshots?|approved|scenarios?|suites?)(?:[/._-]|$)/i;
const SETTINGS =
  /(?:^|\/)(?:\.[\w-]*(?:rc|ignore|lint|config)(?:\.\w+)?|[\w.-]*(?:rules|settings|allow-?list|deny-?list|ignore-?list|exceptions|baseline|budgets?|thresholds?|lint[\w-]*|\.config)\.\w+)$/i;
const LISTS =
  /\b(?:readdir\w*|opendir\w*|glob\w*|iglob|rglob|listdir|iterdir|scandir|walk|os\.walk|fast-glob|globby|Dir|ReadDir|WalkDir|listFiles|read_dir|find|ls)\b/i;
const WRITES =
  /\b(?:write\w*|createWriteStream|appendFile\w*|dump|unlink\w*|rm|rmSync|copyFile\w*|cpSync)\b|['"][wax]b?\+?['"]/i;
const PATHS_WORD =
  /\b(?:join|resolve\w*|path\w*|\w*dir\w*|glob\w*|url|open|readFile\w*|read_text|load\w*|include\w*|embed|resources?|files)\b|["'`)\]\w] ?\/ ?["'`]/i;
const UNREAD = /\.(?:md|mdx|rst|adoc|png|jpe?g|gif|webp|ico|pdf|zip|gz|woff2?|ttf|mp[34]|wasm|so|lock|map)$/i;

type Reader = {
  readonly file: string;
  /** A tool is a script whose name does not say that it judges: it may also generate code, or build. */
  readonly kind: 'test' | 'script' | 'tool';
  readonly named: readonly NamedPath[];
  readonly text: string;
  readonly uses: 'imports' | 'paths' | 'nothing';
};

type Role = TestData[string];

export function findTestData(sources: DataSources): TestData {
  const { paths, roleOf, isLeftOut, isShared } = sources;
  const files = new Set(paths);
  const folders = new Set(paths.flatMap(foldersOf));
  const readers = readersOf(sources, files, folders);
  const isFree = (file: string): boolean => roleOf(file) === undefined && !isLeftOut(file) && !isShared(file);
  const codeFolders = new Set(paths.filter((file) => isFree(file) && CODE.test(file)).flatMap(foldersOf));
  const inFolder = (folder: string): readonly string[] => paths.filter((file) => file.startsWith(`${folder}/`));
  const found = new Map<string, Role>();
  for (const reader of readers) {
    const look = { files, folders, isFree, codeFolders, inFolder };
    for (const [file, role] of dataOf(reader, look)) if (found.size < DATA_MAX) found.set(file, role);
  }
  return found.size === 0 ? {} : withoutProduct(found, sources);
}

const READ_ROLES = new Set<JudgeRole | undefined>(['test', 'config', 'script']);

/** Tests and scripts. A file that tests share counts as using the product if any test does. */
function readersOf(sources: DataSources, files: ReadonlySet<string>, folders: ReadonlySet<string>): readonly Reader[] {
  const { paths, roleOf, isLeftOut, readText, importsOf } = sources;
  const isProduct = (file: string): boolean => roleOf(file) === undefined && CODE.test(file) && !isLeftOut(file);
  const productFolders = new Set(paths.filter(isProduct).flatMap(foldersOf));
  const names = new Set([...paths, ...folders].map((each) => path.posix.basename(each)));
  const isName = (name: string): boolean => names.has(name) || SETTINGS.test(name);
  const shared = new Set<string>();
  const readers = paths
    .filter((file) => READ_ROLES.has(roleOf(file)) && !isLeftOut(file))
    .slice(0, READERS_MAX)
    .flatMap((file): Reader[] => {
      const text = readText(file) ?? '';
      const isShell = isShellFile(file, text);
      if (!isShell && !CODE.test(file)) return [];
      const named = namedPaths(text, isShell, isName);
      const imported = importsOf(file);
      for (const each of imported) if (!isProduct(each)) shared.add(each);
      const isNamed = (one: NamedPath): boolean => {
        const target = resolve(one.path, file, (each) => files.has(each) || folders.has(each));
        return target !== undefined && (isProduct(target) || productFolders.has(target));
      };
      // Other languages import by the name of a package.
      const isUsed = imported.some(isProduct) || !(isSource(file) || isShell);
      const uses = isUsed ? 'imports' : named.some(isNamed) ? 'paths' : 'nothing';
      return [{ file, kind: kindOf(file, roleOf(file)), named, text, uses }];
    });
  const most = readers.find(({ uses }) => uses === 'imports') ?? readers.find(({ uses }) => uses === 'paths');
  return readers.map((reader) =>
    shared.has(reader.file) || /(?:^|\/)conftest\.py$/.test(reader.file)
      ? { ...reader, uses: most?.uses ?? 'nothing' }
      : reader,
  );
}

function kindOf(file: string, role: JudgeRole | undefined): Reader['kind'] {
  if (role !== 'script') return 'test';
  const byName = { isDirect: false, isProbed: true, isShell: false };
  return isJudgeScript(file, byName, () => false) ? 'script' : 'tool';
}

type Look = {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly isFree: (file: string) => boolean;
  readonly codeFolders: ReadonlySet<string>;
  readonly inFolder: (folder: string) => readonly string[];
};

/** What this reader names, as far as it looks like data of the judge. */
function dataOf(reader: Reader, look: Look): readonly (readonly [string, Role])[] {
  const { file, named, kind } = reader;
  const isFile = (each: string): boolean => look.files.has(each);
  const written = new Set(named.filter(isWritten).map((one) => resolve(one.path, file, isFile)));
  const read = named.filter((one) => !written.has(resolve(one.path, file, isFile) ?? ''));
  const isFolder = (each: string): boolean => look.folders.has(each);
  const folders = new Set(read.flatMap((one) => resolve(one.path, file, isFolder) ?? []));
  const names = read.flatMap((one) => [
    resolve(one.path, file, isFile) ?? [],
    // `join(dir, 'a.txt')`, with the folder in another line.
    one.path.includes('/') ? [] : [...folders].map((folder) => `${folder}/${one.path}`).filter(isFile),
  ]);
  const settings = kind === 'test' ? [] : settingsOf({ ...reader, named: read }, look);
  const data = names.flat(2).filter((each) => look.isFree(each) && isData(each) && isFor(reader, each));
  return [
    ...data.map((each) => [each, 'fixture'] as const),
    ...read.flatMap((one) => listed(reader, one, look)).map((each) => [each, 'fixture'] as const),
    ...settings.map((each) => [each, 'config'] as const),
  ];
}

/** `> a.txt` in a shell script. */
function isWritten({ path: name, line }: NamedPath): boolean {
  return WRITES.test(line) || /(?<![-=])>>?\s*["'$\w{}./-]*$/.test(line.slice(0, line.indexOf(name)));
}

/** Also those that do not exist yet: settings that the agent adds would judge its own work. */
function settingsOf({ file, named, kind }: Reader, { files, isFree }: Look): readonly string[] {
  return named
    .filter(({ path: name }) => SETTINGS.test(name) && (kind === 'script' || path.posix.basename(name).startsWith('.')))
    .flatMap(({ path: name }) => {
      const known = resolve(name, file, (each) => files.has(each));
      const missing = name.startsWith('.') && !name.startsWith('..') ? [name] : [];
      return known === undefined ? missing : isFree(known) && !CODE.test(known) ? [known] : [];
    });
}

function isData(file: string): boolean {
  if (CODE.test(file) || DELIVERED.test(file)) return false;
  return PLAIN.test(file) || (FOR_TESTS.test(file) && !UNREAD.test(file)) || /\/?(?:expected|golden)\b/.test(file);
}

/** A test that uses no product code is about the data. A script that names product files inspects all that it names. */
function isFor({ kind, uses }: Reader, file: string): boolean {
  if (uses === 'nothing' || kind === 'tool') return false;
  return kind === 'test' || uses === 'imports' || FOR_TESTS.test(file);
}

/** The files of a folder that the reader lists, and the folder itself. Cases of a script may be code. */
function listed(reader: Reader, one: NamedPath, look: Look): readonly string[] {
  const folder = resolve(one.path, reader.file, (each) => look.folders.has(each));
  if (folder === undefined || one.isFollowed || DELIVERED.test(`${folder}/`)) return [];
  if (!(one.isComputed || LISTS.test(reader.text))) return [];
  const files = look.inFolder(folder).filter(look.isFree);
  const isCases = FOR_TESTS.test(folder) && !isInSource(folder);
  if (look.codeFolders.has(folder) && !isCases) return [];
  if (!isFor(reader, `${folder}/`) && (!isCases || reader.kind === 'tool')) return [];
  const kept = files.filter((file) => isCases || isData(file));
  return kept.length === files.length ? [...kept, `${folder}/`] : kept;
}

/** From the folder of the file, and from the folders around it. */
function resolve(name: string, file: string, isKnown: (each: string) => boolean): string | undefined {
  const bases = [...foldersOf(file), ''];
  return bases.map((base) => path.posix.join(base, name)).find((each) => !each.startsWith('..') && isKnown(each));
}

/** Leaves out what a file of the product names. */
function withoutProduct(found: ReadonlyMap<string, Role>, sources: DataSources): TestData {
  const open = new Map(found);
  const product = sources.paths.filter(
    (file) => sources.roleOf(file) === undefined && !sources.isLeftOut(file) && !found.has(file) && !UNREAD.test(file),
  );
  const names = new Set([...found.keys()].flatMap((each) => each.split('/').flatMap((part) => [part, stemOf(part)])));
  for (const file of product.slice(0, PRODUCT_MAX)) {
    const text = sources.readText(file);
    if (text === undefined || text.includes('\0')) continue;
    const isMentioned = mentionsIn(file, text, (name) => names.has(stemOf(name)) || names.has(endOf(name)));
    for (const [data] of open) {
      if (!isMentioned(data)) continue;
      open.delete(data);
      for (const folder of foldersOf(data)) open.delete(`${folder}/`);
    }
  }
  return Object.fromEntries(open);
}

/** Entries of a manifest that only list what is published, or that belong to the judge. */
const NOT_READ = /"files"\s*:\s*\[[^\]]*\]|"(?:[\w:-]*(?:test|check|lint|verify)[\w:-]*)"\s*:\s*"[^"]*"/g;

function mentionsIn(file: string, given: string, isName: (name: string) => boolean): (data: string) => boolean {
  const isShell = isShellFile(file, given);
  const text = codeLines(
    given.replaceAll(path.posix.basename(file) === 'package.json' ? NOT_READ : /$^/g, ''),
    isShell,
  );
  const whole = text.join('\n');
  let named: readonly NamedPath[] | undefined;
  return (data) => {
    const isFolder = data.endsWith('/');
    const name = path.posix.basename(data);
    if (!isFolder && hasName(whole, name)) return true;
    named ??= namedPaths(whole, isShell, isName);
    const stem = stemOf(data);
    const above = isFolder ? [data.slice(0, -1), ...foldersOf(data.slice(0, -1))] : foldersOf(data);
    return named.some((one) => {
      const plain = one.path.replace(/^(?:\.\.\/)+/, '');
      if (plain.includes('/') && isEnd(stem, plain) && !isFolder) return true;
      const isPath = one.isComputed || one.path.includes('/') || PATHS_WORD.test(one.line);
      return (
        !one.isFollowed &&
        isPath &&
        above.some((folder) => isEnd(folder, plain) || isEnd(folder, plain.replaceAll('.', '/')))
      );
    });
  };
}

function stemOf(name: string): string {
  return name.replace(/\.\w+$/, '');
}

/** `data` of `shop.data` */
function endOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function isEnd(whole: string, end: string): boolean {
  return whole === end || whole.endsWith(`/${end}`);
}

/** Not as the end of a longer name. */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}
