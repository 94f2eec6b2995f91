import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { ignoringErrno } from '../system/errno.ts';
import { readTextIfExists } from '../system/files.ts';
import { namesIn } from '../system/folder.ts';

/** `file`: in the project's folder; a leading `*` = any name with this ending. `proves`: does its text show that there are tests? */
type Sign = {
  readonly command: string;
  readonly file: string;
  readonly proves?: (text: string, names: readonly string[]) => boolean;
  /** This file must exist too. */
  readonly alsoRequires?: string;
};

/** `npm init` writes this script, which fails. */
const NPM_PLACEHOLDER = /no test specified/u;
const FILE_CHARS_MAX = 1_000_000;
const CHECKS_MAX = 3;

/** How projects of each kind run their tests. The first sign of each kind counts; one project may be of several kinds. */
const KINDS: readonly (readonly Sign[])[] = [
  [
    { command: 'pnpm test', file: 'package.json', proves: hasTestScript, alsoRequires: 'pnpm-lock.yaml' },
    { command: 'yarn test', file: 'package.json', proves: hasTestScript, alsoRequires: 'yarn.lock' },
    { command: 'bun run test', file: 'package.json', proves: hasTestScript, alsoRequires: 'bun.lock' },
    { command: 'bun run test', file: 'package.json', proves: hasTestScript, alsoRequires: 'bun.lockb' },
    { command: 'npm test', file: 'package.json', proves: hasTestScript },
    { command: 'deno test', file: 'deno.json' },
  ],
  [
    { command: 'pytest', file: 'pytest.ini' },
    { command: 'pytest', file: 'conftest.py' },
    { command: 'pytest', file: 'pyproject.toml', proves: namesPytest },
    { command: 'pytest', file: 'setup.cfg', proves: (text) => text.includes('[tool:pytest]') },
    { command: 'tox', file: 'tox.ini' },
  ],
  [{ command: 'cargo test', file: 'Cargo.toml' }],
  [{ command: 'go test ./...', file: 'go.mod' }],
  [
    { command: './gradlew test', file: 'gradlew' },
    { command: 'mvn test', file: 'pom.xml' },
  ],
  [
    { command: 'dotnet test', file: '*.sln' },
    { command: 'dotnet test', file: '*.csproj' },
  ],
  [{ command: 'swift test', file: 'Package.swift' }],
  [{ command: 'mix test', file: 'mix.exs' }],
  [
    { command: 'bundle exec rspec', file: '.rspec' },
    { command: 'bundle exec rake test', file: 'Rakefile', alsoRequires: 'Gemfile' },
  ],
  [
    { command: 'composer test', file: 'composer.json', proves: hasTestScript },
    { command: 'vendor/bin/phpunit', file: 'phpunit.xml' },
    { command: 'vendor/bin/phpunit', file: 'phpunit.xml.dist' },
  ],
  [
    { command: 'make test', file: 'Makefile', proves: (text) => /^test\s*:(?!=)/mu.test(text) },
    { command: 'just test', file: 'justfile', proves: (text) => /^test\b[^\n=]*:(?!=)/mu.test(text) },
  ],
];

/** The commands that seem to test this project. Only a guess: nothing is run, and files that cannot be read are ignored. */
export function guessChecks(project: string): readonly string[] {
  const names = ignoringErrno(() => namesIn(project)) ?? [];
  return KINDS.flatMap((signs) => signs.find((sign) => isSeen(sign, project, names))?.command ?? []).slice(
    0,
    CHECKS_MAX,
  );
}

function isSeen({ file, proves, alsoRequires }: Sign, project: string, names: readonly string[]): boolean {
  const name = file.startsWith('*') ? names.find((each) => each.endsWith(file.slice(1))) : file;
  if (name === undefined || !names.includes(name) || (alsoRequires !== undefined && !names.includes(alsoRequires)))
    return false;
  if (proves === undefined) return true;
  const text = ignoringErrno(() => readTextIfExists(path.join(project, name)));
  return text !== undefined && text.length <= FILE_CHARS_MAX && proves(text, names);
}

function hasTestScript(text: string): boolean {
  const script = fieldIn(
    fieldIn(
      parsed(() => JSON.parse(text)),
      'scripts',
    ),
    'test',
  );
  if (Array.isArray(script)) return script.length > 0;
  return typeof script === 'string' && script.trim() !== '' && !NPM_PLACEHOLDER.test(script);
}

function namesPytest(text: string, names: readonly string[]): boolean {
  const project = parsed(() => parseToml(text));
  return (
    fieldIn(fieldIn(project, 'tool'), 'pytest') !== undefined || (names.includes('tests') && text.includes('pytest'))
  );
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined; // An unreadable file is no sign of tests.
  }
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
