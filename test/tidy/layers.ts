/**
 * The import table: the folders of `src` are layers, and this table lists which may import which. The test next to it is
 * the authority; oxlint and tsconfig.core.json enforce the same rules closer to the editor.
 *
 * To add a layer: create the folder, move its name out of `PLANNED_LAYERS`, add a row here, and add the layer to the rows
 * that may import it. A folder without a row fails the test, and so does a row without a folder.
 */
export type LayerRule = {
  /** Layers, or single files of a layer (`engine/ports.ts`), that may be imported. A layer may always import itself. */
  readonly mayImport: readonly string[];
  /** npm packages; a package also opens its subpaths. */
  readonly packages: readonly string[];
  /** `node:` modules without the prefix; a module also opens its subpaths. */
  readonly node: readonly string[] | 'all';
  /**
   * Dynamic `import()` is for composition: elsewhere it hides an edge of this table. `own-folder`: of a file in the same folder, which is no
   * edge; the descriptor of a dialect loads its code that way, and a start without checks the guesses.
   */
  readonly dynamicImport: boolean | 'own-folder';
};

export const LAYERS: Readonly<Record<string, LayerRule>> = {
  core: { mayImport: [], packages: [], node: [], dynamicImport: false },
  /** From dialects only the descriptors, which are data: a loop in a state file is shown with the numbers of that file. */
  views: {
    mayImport: ['core', 'dialects/counting.ts', 'dialects/names.ts', 'dialects/registry.ts'],
    packages: [],
    node: [],
    dynamicImport: false,
  },
  /** From views only what makes text safe to show: its faults quote what was typed. */
  engine: {
    mayImport: ['core', 'views/nearest-word.ts', 'views/printable.ts'],
    packages: [],
    node: [],
    dynamicImport: false,
  },
  /** Foreign state files: text in, text out. */
  dialects: {
    mayImport: ['core'],
    packages: ['zod', 'yaml', 'jsonc-parser'],
    node: [],
    dynamicImport: 'own-folder',
  },
  /** Hand-written narrow readers, because they are part of the hook. */
  hosts: { mayImport: ['core', 'engine/ports.ts'], packages: [], node: [], dynamicImport: false },
  /** The only layer that knows the operating system. From core it imports faults, the quoting of a shell, and the types of what it makes. */
  system: {
    mayImport: ['core/caller-place.ts', 'core/evidence.ts', 'core/fault.ts', 'core/loop.ts', 'core/shell-word.ts'],
    packages: [],
    node: 'all',
    dynamicImport: false,
  },
  stores: {
    mayImport: ['core', 'engine/ports.ts', 'system'],
    packages: ['zod'],
    node: ['crypto', 'fs', 'path'],
    dynamicImport: false,
  },
  evidence: {
    mayImport: ['core', 'engine/ports.ts', 'engine/unknown-answer.ts', 'system'],
    packages: ['smol-toml'],
    node: ['crypto', 'fs', 'os', 'path'],
    dynamicImport: false,
  },
  /**
   * The programmatic interfaces of the documents, thin. Checks are injected; documents themselves only look at the files of the project, at a file
   * that was moved, and at the end of a transcript.
   */
  facades: {
    mayImport: [
      'core',
      'engine',
      'dialects',
      'stores',
      'system',
      'evidence/file-probes.ts',
      'evidence/look-at-work.ts',
      'evidence/transcript-tail.ts',
      'hosts/claude-code/transcript.ts',
      'hosts/transcript.ts',
    ],
    packages: [],
    node: ['path'],
    dynamicImport: false,
  },
  /** From hosts only what has to be known of Claude Code to start it from inside one of its own sessions. */
  runner: {
    mayImport: ['core', 'engine', 'system', 'hosts/claude-code/session-variables.ts'],
    packages: [],
    node: ['path'],
    dynamicImport: false,
  },
  terminal: { mayImport: ['core', 'engine/ports.ts', 'views'], packages: [], node: [], dynamicImport: false },
  /** One path from a host's payload to its reply. */
  hook: {
    mayImport: ['core', 'engine', 'hosts', 'dialects', 'views'],
    packages: [],
    node: [],
    dynamicImport: false,
  },
  /** What is written into settings and projects: install, uninstall, doctor, hooks and tracker of a loop. */
  setup: {
    mayImport: ['core', 'engine', 'hosts', 'dialects', 'views', 'system'],
    packages: ['jsonc-parser', 'smol-toml', 'zod'],
    node: ['http', 'path'],
    dynamicImport: 'own-folder',
  },
  cli: {
    mayImport: ['core', 'engine', 'views', 'system', 'dialects', 'hosts', 'terminal', 'runner', 'hook', 'setup'],
    packages: ['zod'],
    node: ['path', 'util'],
    dynamicImport: true,
  },
  /** Composition roots: the only place where an implementation meets its port. `src/index.ts` is one of them. */
  entries: {
    mayImport: [
      'core',
      'engine',
      'views',
      'dialects',
      'hosts',
      'system',
      'stores',
      'evidence',
      'facades',
      'runner',
      'terminal',
      'hook',
      'setup',
      'cli',
    ],
    packages: ['zod', '@modelcontextprotocol/sdk'],
    node: 'all',
    dynamicImport: true,
  },
};

/** Planned, but not in the tree. A layer that appears needs a row above, and leaves this list. */
export const PLANNED_LAYERS: readonly string[] = ['web'];

export const FILE_LINES_MAX = 400;

/** Names that describe nothing, and so collect everything. */
export const BANNED_FILE_NAMES: readonly string[] = ['types.ts', 'utils.ts', 'helpers.ts'];

/** Other tools' words for things that have one name here (CONTEXT.md). Enforced in the identifiers of `core`. */
export const BANNED_WORDS: readonly string[] = ['promise', 'marker', 'harness', 'gate', 'verdict', 'manager'];

/** Every concept of the glossary. Each is a bold term of CONTEXT.md. */
export const GLOSSARY: readonly string[] = [
  'Loop',
  'Spec',
  'State',
  'Status',
  'Iteration',
  'Turn',
  'Host',
  'Agent',
  'Session',
  'Event',
  'Evidence',
  'Claim',
  'Check',
  'Criterion',
  'Finish rule',
  'Guard',
  'Limit',
  'Decision',
  'Reply',
  'Dialect',
  'Store',
  'Revision',
  'Journal',
  'Lease',
  'Worker',
  'Trust',
  'Fault',
  'Bug',
];
