/**
 * The contract of an ecosystem's table: which files, parts of files, dotfiles and variables judge the work there. Data only: what is done
 * with it is in the files beside this one. All tables apply to every project; a rule that would raise false alarms has a `when`.
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
  /** From the root of the project: `**` crosses folders, a pattern that matches a folder means everything in it. */
  readonly glob: string;
  readonly role: FileRole;
  /** Only where a check mentions one of these programs, itself or in a script that it calls. */
  readonly when?: readonly string[];
  /** Paths that the pattern does not mean. */
  readonly except?: readonly string[];
  /** The name of the folder is not enough: at the baseline it holds a file whose own name says that it is a test. */
  readonly amongTests?: boolean;
};

type PartFormat = 'json' | 'toml' | 'ini' | 'xml' | 'directives' | 'rust-tests';

/** A file that the product and the judge share. */
export type PartRule = {
  readonly glob: string;
  readonly format: PartFormat;
  /** Product without the parts: a file that the agent deleted stays deleted. */
  readonly mayGo?: boolean;
  /**
   * Keys from the outside in, joined by `/`; `*` within a key as in a glob. An item of a list is known by its `name`, or its number.
   * For `ini` one key (the section), for `xml` the elements below the root, for `directives` the first word of a line;
   * `rust-tests` has none: all modules of tests in a source file.
   */
  readonly parts: readonly string[];
  /** Of these, entries that the agent added may stay where only tests are added (a new script of npm). */
  readonly addable?: readonly string[];
  /** Added entries that never stay: a runner starts them by itself. `{}` stands for the name of an entry of the baseline. */
  readonly hooks?: readonly string[];
  /** Key and values: only these values belong to the judge (a package that calls itself `vitest` is found before the real one). */
  readonly values?: Readonly<Record<string, readonly string[]>>;
};

export type DependencyRule = {
  /** Name of the folder, at any depth; with slashes from the root of a package (`vendor/bundle`). */
  readonly folder: string;
  /** A file that must be in it, where the name alone says too little. */
  readonly marker?: string;
};

/** A program that runs the file named by its first argument. */
export type Interpreter = {
  readonly name: string;
  /** Options whose next word is a value. */
  readonly valueOptions?: readonly string[];
  /** Options whose next word is a file that is loaded first. */
  readonly loadOptions?: readonly string[];
  /** Option whose next word is a module by its dotted name. */
  readonly moduleOption?: string;
  /** Words between the program and its file (`coverage run`). */
  readonly commands?: readonly string[];
};

/** A program that starts the program named by its arguments. */
export type Wrapper = {
  readonly name: string;
  /** Without one of these as the first argument it is not a wrapper (`uv run`). */
  readonly commands?: readonly string[];
  /** Arguments before the program (`timeout 10`). */
  readonly skip?: number;
  readonly valueOptions?: readonly string[];
};

/** A program that runs what a file of the project tells it, in a form that is not read further than this. */
export type TaskFile = {
  readonly program: string;
  /** The first that exists. */
  readonly files: readonly string[];
  /** Commands are lines, alone or after a key; or strings of a program. */
  readonly holds: 'lines' | 'strings';
};

export type Ecosystem = {
  readonly name: string;
  readonly files: readonly FileRule[];
  readonly parts: readonly PartRule[];
  /** Patterns relative to HOME. */
  readonly home: readonly string[];
  /** Patterns of what runners look for in the folders above the project. */
  readonly above: readonly string[];
  /** Variables that name a folder of settings, and the patterns of what is read there. */
  readonly folders?: Readonly<Record<string, readonly string[]>>;
  /** Names of variables; `*` at the end stands for any rest. */
  readonly environment: readonly string[];
  readonly dependencies: readonly DependencyRule[];
  /** What runners write by themselves. Never a change, and never carried into a room. */
  readonly generated: readonly string[];
  readonly interpreters: readonly Interpreter[];
  /** Programs whose file arguments are tests. */
  readonly runners: readonly string[];
  readonly wrappers: readonly Wrapper[];
  readonly taskFiles?: readonly TaskFile[];
};
