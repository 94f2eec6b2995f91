/** The imports of a source file, found without parsing: enough to tell which files use a module. JavaScript, TypeScript and Python. */
import path from 'node:path';

const SCRIPT = /\.[cm]?[jt]sx?$/;
const PYTHON = /\.py$/;
const SCRIPT_IMPORTS =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*|\bmock\s*\(\s*)(?<quote>['"`])(?<name>[^'"`\n]{1,300})\k<quote>/g;
const PYTHON_IMPORTS =
  /^[ \t]*(?:from[ \t]+(?<from>[.\w]+)[ \t]+import[ \t]+\(?(?<names>[^#\n]*)|import[ \t]+(?<whole>[^#\n]+))/gm;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.jsx', '.tsx', '.mts', '.cts', '.json', '/index.js', '/index.ts'];
const IMPORTS_MAX = 500;

export function isSource(file: string): boolean {
  return SCRIPT.test(file) || PYTHON.test(file);
}

/** Names as written; for Python with slashes, and `./` before a relative one. */
export function importsIn(file: string, text: string): readonly string[] {
  const found = SCRIPT.test(file)
    ? [...text.matchAll(SCRIPT_IMPORTS)].map(({ groups }) => groups?.['name'] ?? '')
    : [...text.matchAll(PYTHON_IMPORTS)].flatMap(({ groups }) => pythonNames(groups ?? {}));
  return [...new Set(found)].slice(0, IMPORTS_MAX);
}

function pythonNames(groups: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { from, names = '', whole = '' } = groups;
  if (from === undefined) return words(whole).map((name) => name.replaceAll('.', '/'));
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const base = (dots === 0 ? '' : './' + '../'.repeat(dots - 1)) + from.slice(dots).replaceAll('.', '/');
  return [base, ...words(names).map((name) => path.posix.join(base, name.replace(/\W/g, '')))].map((name) =>
    dots === 0 || name.startsWith('.') ? name : `./${name}`,
  );
}

/** `a as b, c` */
function words(text: string): string[] {
  return text.split(',').map((word) => word.trim().split(/\s+/)[0] ?? '');
}

/** The project file that an import refers to. */
export function resolveImport(name: string, from: string, isFile: (file: string) => boolean): string | undefined {
  const folder = path.posix.dirname(from);
  if (PYTHON.test(from)) {
    const bases = name.startsWith('.') ? [folder] : ['.', 'src', folder];
    return bases
      .flatMap((base) => [`${path.posix.join(base, name)}.py`, path.posix.join(base, name, '__init__.py')])
      .find(isFile);
  }
  if (!name.startsWith('.')) return undefined;
  const base = path.posix.join(folder, name);
  // TypeScript imports use the name of the compiled file.
  const source = base.replace(/\.(?<kind>[cm]?)js(?<x>x?)$/, '.$<kind>ts$<x>');
  return [...ENDINGS.map((ending) => base + ending), source].find(isFile);
}

/** The package of `@scope/name/part`; `undefined` for a file or a built-in module. */
export function packageOf(name: string): string | undefined {
  if (/^(?:[./#]|node:|file:|https?:|data:)/.test(name)) return undefined;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
