/**
 * The contract of an ecosystem's table: which files, parts of files, dotfiles and variables judge the work there. Data only: the code that
 * uses it is in the files beside this one. All tables apply to every project; a rule that would raise false alarms has a `when`.
 */

/**
 * - `test`: a test, or something only tests use
 * - `fixture`: data of a test, whatever its name looks like (a whole project can be a fixture)
 * - `snapshot`: what a test expects, written by the runner
 * - `config`: starts, configures or extends a runner, linter or compiler
 * - `shadow`: takes the place of a runner or of a module that the runner loads
 */
export type FileRole = 'test' | 'fixture' | 'snapshot' | 'config' | 'shadow';

export type FileRule = {
  /** From the root of the project: `**` crosses folders, and a pattern that matches a folder covers everything in it. */
  readonly glob: string;
  readonly role: FileRole;
  /** Only if a check mentions one of these programs, itself or in a script that it calls. */
  readonly when?: readonly string[];
  /** Paths that the pattern does not cover. */
  readonly except?: readonly string[];
  /** The name of the folder is not enough: at the baseline it must contain a file whose own name marks it as a test. */
  readonly amongTests?: boolean;
};

type PartFormat = 'json' | 'toml' | 'ini' | 'xml' | 'directives' | 'rust-tests';

/** A file that the product and the judge share. */
export type PartRule = {
  readonly glob: string;
  readonly format: PartFormat;
  /** Apart from these parts the file is product: if the agent deletes it, it stays deleted. */
  readonly mayBeDeleted?: boolean;
  /**
   * Keys from the outside in, joined by `/`; `*` within a key works as in a glob. A list item is identified by its `name` or its index.
   * For `ini` one key (the section), for `xml` the elements below the root, for `directives` the first word of a line;
   * `rust-tests` has none: it covers all test modules in a source file.
   */
  readonly parts: readonly string[];
  /** Parts that only describe the product in a file that did not exist at the baseline, such as the name of a new package. */
  readonly freeInNewFile?: readonly string[];
  /** Parts in which entries added by the agent may stay if they only add tests (a new npm script). */
  readonly addable?: readonly string[];
  /** Added entries that never stay, because a runner starts them by itself. `{}` stands for the name of an entry of the baseline. */
  readonly hooks?: readonly string[];
  /** Key and values: only these values belong to the judge (a package named `vitest` is found before the real one). */
  readonly values?: Readonly<Record<string, readonly string[]>>;
};

export type DependencyRule = {
  /** Name of the folder, at any depth; with slashes relative to the root of a package (`vendor/bundle`). */
  readonly folder: string;
  /** A file that must be in it, if the name alone is not enough. */
  readonly marker?: string;
};

/** A program that runs the file named by its first argument. */
export type Interpreter = {
  readonly name: string;
  /** Options followed by a value. */
  readonly valueOptions?: readonly string[];
  /** Options followed by a file that is loaded first. */
  readonly loadOptions?: readonly string[];
  /** The option followed by a module's dotted name. */
  readonly moduleOption?: string;
  /** Words between the program and its file (`coverage run`). */
  readonly commands?: readonly string[];
};

/** A program that starts the program named by its arguments. */
export type Wrapper = {
  readonly name: string;
  /** It is a wrapper only with one of these as the first argument (`uv run`). */
  readonly commands?: readonly string[];
  /** Arguments before the program (`timeout 10`). */
  readonly skip?: number;
  readonly valueOptions?: readonly string[];
};

/** A program that runs commands from a project file; the format is read only as far as described here. */
export type TaskFile = {
  readonly program: string;
  /** The first that exists. */
  readonly files: readonly string[];
  /** Commands are either lines, alone or after a key, or the strings of a program. */
  readonly holds: 'lines' | 'strings';
};

export type Ecosystem = {
  readonly name: string;
  readonly files: readonly FileRule[];
  readonly parts: readonly PartRule[];
  /** Patterns relative to HOME. */
  readonly home: readonly string[];
  /** Patterns of the files that runners look for in the folders above the project. */
  readonly above: readonly string[];
  /** Variables that name a settings folder, and patterns of the files that are read there. */
  readonly folders?: Readonly<Record<string, readonly string[]>>;
  /** Variable names; a trailing `*` matches any suffix. */
  readonly environment: readonly string[];
  readonly dependencies: readonly DependencyRule[];
  /** Written by runners themselves. Never a change, and never copied into a room. */
  readonly generated: readonly string[];
  readonly interpreters: readonly Interpreter[];
  /** Programs whose file arguments are tests. */
  readonly runners: readonly string[];
  readonly wrappers: readonly Wrapper[];
  readonly taskFiles?: readonly TaskFile[];
};
