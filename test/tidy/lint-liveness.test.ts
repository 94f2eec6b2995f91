/**
 * A fence that sees nothing passes too: a misspelt glob, a missing type-aware backend or a renamed option switches rules off silently. So the real
 * tools judge planted violations, with the project's own configuration, and must find each.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Everything oxlint must find in the planted files, and nothing else. */
const SINS: Readonly<Record<string, readonly string[]>> = {
  'src/core/knows-the-process.ts': ['eslint(no-restricted-globals)'],
  'src/core/reads-a-file.ts': ['eslint(no-restricted-imports)'],
  'src/core/reads-the-clock.ts': ['eslint(no-restricted-globals)'],
  'src/core/rolls-dice.ts': ['eslint(no-restricted-properties)'],
  'src/system/Shouts.ts': ['unicorn(filename-case)'],
  'src/system/cycles-back.ts': ['import(no-cycle)'],
  'src/system/cycles-there.ts': ['import(no-cycle)'],
  'src/system/dangles.ts': ['eslint(no-underscore-dangle)'],
  'src/system/floats-a-promise.ts': ['typescript(no-floating-promises)'],
  'src/system/forgets-a-case.ts': ['typescript(switch-exhaustiveness-check)'],
  'src/system/goes-on-and-on.ts': ['eslint(max-lines-per-function)'],
  'src/system/imports-a-type-as-a-value.ts': ['typescript(consistent-type-imports)'],
  'src/system/loses-the-cause.ts': ['eslint(no-unused-vars)', 'eslint(preserve-caught-error)'],
  'src/system/proves-nothing.test.ts': ['vitest(expect-expect)'],
  'src/system/swallows-an-error.ts': ['eslint(no-empty)'],
  'src/system/takes-five.ts': ['eslint(max-params)'],
  'src/system/throws-text.ts': ['typescript(only-throw-error)'],
};

let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tireless-sins-'));
  cpSync(join(ROOT, 'test/tidy/fixtures/sins'), project, { recursive: true });
  for (const file of ['.oxlintrc.json', 'package.json', 'tsconfig.json', 'tsconfig.core.json'])
    cpSync(join(ROOT, file), join(project, file));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe('oxlint', () => {
  it('finds every planted sin and accuses no innocent file', () => {
    expect(oxlintFindings()).toEqual(SINS);
  });

  it('is shown one sin for every rule the configuration switches on by name', () => {
    const shown = Object.values(SINS).flat();
    const unshown = rulesByName().filter((rule) => !shown.some((code) => code.endsWith(`(${rule})`)));
    expect(unshown).toEqual([]);
  });
});

describe('tsconfig.core.json', () => {
  it('makes the process and every node module a type error in the pure layers', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '-p', 'tsconfig.core.json', '--pretty', 'false'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
    const accused = [...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map((match) => match[1] ?? '');
    expect([...new Set(accused)].toSorted()).toEqual(['src/core/knows-the-process.ts', 'src/core/reads-a-file.ts']);
  });
});

function oxlintFindings(): Record<string, readonly string[]> {
  const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { filename: string; code: string }[] };
  const found: Record<string, string[]> = {};
  for (const { filename, code } of diagnostics) (found[filename.replaceAll('\\', '/')] ??= []).push(code);
  return Object.fromEntries(Object.entries(found).map(([file, codes]) => [file, codes.toSorted()]));
}

/** The names, without their plugin, of all rules that are set to `error` in `rules` and in `overrides`. */
function rulesByName(): string[] {
  const text = readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  type Rules = Record<string, string | readonly [string, ...unknown[]]>;
  const config = JSON.parse(text) as { rules: Rules; overrides: readonly { rules: Rules }[] };
  const rules = [config.rules, ...config.overrides.map((override) => override.rules)].flatMap((set) =>
    Object.entries(set),
  );
  const on = rules.filter(([, value]) => (typeof value === 'string' ? value : value[0]) === 'error');
  return on.map(([name]) => name.split('/').at(-1) ?? name);
}
