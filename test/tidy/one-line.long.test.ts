/**
 * A new dialect or host is one folder and one line in its list. In a copy of the source, a sibling's folder gets a new name, the list gets its line,
 * and nothing else is touched: the compiler accepts it, and the program knows it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const NEW = 'newcomer';
const HOSTS_OF = 'src/hosts/hosts.ts';
const DIALECTS_OF = 'src/dialects/registry.ts';

let copy = '';

beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'tireless-newcomer-'));
  cpSync(path.join(ROOT, 'src'), path.join(copy, 'src'), {
    recursive: true,
    filter: (file) => !file.endsWith('.test.ts'),
  });
  for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(path.join(ROOT, file), path.join(copy, file));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
});

afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

describe('a new dialect', () => {
  it('is one folder and one line', async () => {
    copyFolder('src/dialects', 'ralph-loop');
    addLine(DIALECTS_OF, 'descriptor', 'DialectDescriptor');
    expect(compilerErrors()).toEqual([]);
    const { DIALECT_NAMES } = await load<{ DIALECT_NAMES: readonly string[] }>('src/dialects/names.ts');
    const { loadDialect } = await load<{ loadDialect: (name: string) => Promise<{ name: string }> }>(
      'src/entries/dialects.ts',
    );
    expect(DIALECT_NAMES).toContain(NEW);
    expect(await loadDialect(NEW)).toMatchObject({ name: NEW });
  });

  it('does not compile without its folder, without its code or with the code of another', () => {
    addLine(DIALECTS_OF, 'descriptor', 'DialectDescriptor');
    expect(compilerErrors()).toContain(DIALECTS_OF);
    copyFolder('src/dialects', 'ralph-loop');
    edit(`src/dialects/${NEW}/descriptor.ts`, (text) => text.replace(/^ {2}load: .*\n/mu, ''));
    expect(compilerErrors()).toEqual([`src/dialects/${NEW}/descriptor.ts`]);
    rmSync(path.join(copy, 'src/dialects', NEW), { recursive: true });
    cpSync(path.join(copy, 'src/dialects/ralph-loop'), path.join(copy, 'src/dialects', NEW), { recursive: true });
    expect(compilerErrors()).toEqual([DIALECTS_OF]);
  });
});

describe('a new host', () => {
  it('is one folder and one line', async () => {
    copyFolder('src/hosts', 'droid');
    addLine(HOSTS_OF, 'host', 'Host');
    expect(compilerErrors()).toEqual([]);
    const { HOST_IDS } = await load<{ HOST_IDS: readonly string[] }>('src/hosts/ids.ts');
    const { HOSTS } = await load<{ HOSTS: Record<string, { id: string }> }>(HOSTS_OF);
    expect(HOST_IDS).toContain(NEW);
    expect(HOSTS[NEW]).toMatchObject({ id: NEW });
  });

  it('does not compile without its folder or with the code of another', () => {
    addLine(HOSTS_OF, 'host', 'Host');
    expect(compilerErrors()).toContain(HOSTS_OF);
    cpSync(path.join(copy, 'src/hosts/droid'), path.join(copy, 'src/hosts', NEW), { recursive: true });
    expect(compilerErrors()).toEqual([HOSTS_OF]);
  });
});

/** The folder of a sibling under the new name, which it says wherever it said its own. */
function copyFolder(parent: string, sibling: string): void {
  const folder = `${parent}/${NEW}`;
  mkdirSync(path.join(copy, folder), { recursive: true });
  cpSync(path.join(copy, parent, sibling), path.join(copy, folder), { recursive: true });
  for (const file of readdirSync(path.join(copy, folder)))
    edit(`${folder}/${file}`, (text) => text.replaceAll(`'${sibling}'`, `'${NEW}'`));
}

/** The row of the list, and the import of what it names. */
function addLine(list: string, exported: string, type: string): void {
  const row = `  ${NEW}: ${NEW} as ${type}<'${NEW}'>,\n`;
  edit(list, (text) =>
    text
      .replace(/^import /mu, `import { ${exported} as ${NEW} } from './${NEW}/${exported}.ts';\nimport `)
      .replace(/^\} as const;$/mu, `${row}} as const;`),
  );
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(path.join(copy, file), 'utf8');
  writeFileSync(path.join(copy, file), change(before));
}

/** The files with errors. */
function compilerErrors(): readonly string[] {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noEmit'], {
    cwd: copy,
    encoding: 'utf8',
  });
  const files = [...new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gmu)].map(([, file = '']) => file))];
  expect(status === 0).toBe(files.length === 0);
  return files;
}

async function load<Module>(file: string): Promise<Module> {
  return (await import(path.join(copy, file))) as Module;
}
