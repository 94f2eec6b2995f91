import type { Ecosystem } from './ecosystem.ts';
import { CMAKE } from './ecosystems/cmake.ts';
import { COMMON } from './ecosystems/common.ts';
import { DOTNET } from './ecosystems/dotnet.ts';
import { GO } from './ecosystems/go.ts';
import { JVM } from './ecosystems/jvm.ts';
import { MAKE_TOOLS } from './ecosystems/make.ts';
import { NODE } from './ecosystems/node.ts';
import { PHP } from './ecosystems/php.ts';
import { PYTHON } from './ecosystems/python.ts';
import { RUBY } from './ecosystems/ruby.ts';
import { RUST } from './ecosystems/rust.ts';
import { SHELL } from './ecosystems/shell.ts';

/** One line per ecosystem. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  COMMON,
  NODE,
  PYTHON,
  RUST,
  GO,
  JVM,
  MAKE_TOOLS,
  RUBY,
  PHP,
  DOTNET,
  CMAKE,
  SHELL,
];

/** Dotfiles relative to HOME that runners read, as patterns. */
export const JUDGE_HOME: readonly string[] = [...new Set(ECOSYSTEMS.flatMap((ecosystem) => ecosystem.home))];

/** Patterns of the files that runners look for in the folders above the project. */
export const JUDGE_ABOVE: readonly string[] = [...new Set(ECOSYSTEMS.flatMap((ecosystem) => ecosystem.above))];

/** Variables that name a settings folder, and patterns of the files that are read there. */
export const JUDGE_FOLDERS: readonly (readonly [string, readonly string[]])[] = ECOSYSTEMS.flatMap((ecosystem) =>
  Object.entries(ecosystem.folders ?? {}),
);

const VARIABLES = ECOSYSTEMS.flatMap((ecosystem) => ecosystem.environment);
const VARIABLE_NAMES = new Set(VARIABLES.filter((name) => !name.endsWith('*')));
const VARIABLE_PREFIXES = VARIABLES.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

/** Does this variable control a runner, a compiler or the shell that starts them? */
export function isJudgeVariable(name: string): boolean {
  return VARIABLE_NAMES.has(name) || VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
