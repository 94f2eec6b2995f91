/**
 * How the failures of one tool look in its output, line by line. Lines are cut to a few hundred characters before they are matched, so that no
 * program's output can make a pattern slow.
 */
export type ToolOutput = {
  readonly name: string;
  /** Failures are listed below this line. Anything above it that looks like a failure is an earlier report of the same one. */
  readonly section?: RegExp;
  /** The first line of a failure. */
  readonly begins: RegExp;
  /** The line after the first one must match too. */
  readonly second?: RegExp;
  /** Lines directly above the first one that belong to it. */
  readonly leads?: RegExp;
  /** The first line that no longer belongs to it. The next failure always ends the one before. */
  readonly ends: RegExp;
  /** Lines inside a failure that help nobody: the runner's own stack frames, rulers, durations. */
  readonly noise?: RegExp;
  /** What to keep of a failure that is too long to show whole. */
  readonly vital?: RegExp;
  /** A failure with such a line only repeats others: a suite is red because a test in it is. */
  readonly repeats?: RegExp;
};

const NODE_FRAMES = String.raw`node:(?:internal|async_hooks|events|timers)|/node_modules/(?:vitest|@vitest|mocha|jest[\w-]*)/`;
const NODE_NOISE = new RegExp(
  String.raw`${NODE_FRAMES}|^\s*(?:generatedMessage: |code: 'ERR_ASSERTION'|operator: |diff: 'simple'|---$|\.\.\.$|\}$|duration_ms: |type: '|failureType: |name: 'AssertionError'|stack: \|-)`,
);
/** The lines that differ in a long comparison. */
const NODE_VITAL =
  /^\s*(?:not ok |✖ |test at |location: |error: |[+-] |actual: |expected: |at )|Error\b| !== |^\s*TestContext\b/;
const RUST_NOISE =
  /^\s+(?:\d+: (?:core|std|alloc|test|__rustc|<fn)\b|at \/rustc\/)|^note: (?:run with|Some details)|^stack backtrace:/;

/** From the tools with the most distinctive output to the most generic: the first tool with a failure wins. */
export const TOOL_OUTPUTS: readonly ToolOutput[] = [
  {
    name: 'node:test, spec',
    section: /^✖ failing tests:$/,
    begins: /^test at .+:\d+:\d+$/,
    ends: /^(?:ℹ|✔|▶|﹣) |^> /,
    noise: NODE_NOISE,
    vital: NODE_VITAL,
    repeats: /^\s*'?\d+ subtests? failed'?$/,
  },
  {
    name: 'vitest',
    begins: /^ FAIL {1,2}\S|^⎯+ (?:Unhandled \w+|Startup Error) ⎯/,
    ends: /^⎯{3,}|^ (?:Test Files|Tests) {2}/,
    noise: new RegExp(NODE_FRAMES),
    vital: /^ FAIL|^\w*(?:Error|Exception)\b|^[-+] | ❯ /,
  },
  {
    name: 'jest',
    begins: /^ {2}● (?!Console$)/,
    ends: /^(?:PASS|FAIL) |^Test Suites:|^Summary of all failing tests|^ {2}● Console$|^-+\|/,
    noise: new RegExp(String.raw`${NODE_FRAMES}|^\s+\d+ \|`),
  },
  {
    name: 'playwright',
    begins: /^ {2}\d+\) .+ ─{3,}$/,
    ends: /^ {2}\d+ (?:failed|flaky|skipped|passed)\b/,
    noise: /^\s+\d+ \|/,
  },
  {
    name: 'mocha',
    section: /^ {2}\d+ failing\b/,
    begins: /^ {2}\d+\) /,
    ends: /^\S/,
    noise: new RegExp(NODE_FRAMES),
  },
  {
    name: 'pytest',
    begins: /^_{3,} .+ _{3,}$/,
    ends: /^=+ .+ =+$/,
    vital: /^(?:>|E) |^\S+:\d+: |^_{3,} /,
  },
  {
    name: 'unittest',
    begins: /^(?:ERROR|FAIL): .+ \(.+\)$/,
    ends: /^={20,}$|^Ran \d+ tests?/,
    noise: /^-{20,}$/,
  },
  {
    name: 'cargo test',
    begins: /^---- .+ stdout ----$/,
    ends: /^failures:$|^test result:/,
    noise: RUST_NOISE,
  },
  {
    name: 'rustc',
    begins: /^error(?:\[E\d+\])?: (?!could not compile|aborting due|test failed|\d+ targets? failed)/,
    ends: /^$|^warning|^error: (?:could not compile|aborting due)/,
    vital: /^error| --> |\^/,
  },
  {
    name: 'go test',
    begins: /^\s*--- FAIL: /,
    leads: /^\s+[\w.-]+\.go:\d+: /,
    ends: /^\s*--- (?:PASS|SKIP): |^(?:FAIL|PASS|ok|exit status)\b|^\? |^=== /,
  },
  { name: 'go panic', begins: /^panic: /, ends: /^(?:FAIL|exit status)\b/ },
  {
    name: 'rspec',
    section: /^Failures:$/,
    begins: /^ {2}\d+\) /,
    ends: /^\S/,
  },
  {
    name: 'minitest',
    begins: /^\s*\d+\) (?:Failure|Error):$/,
    ends: /^\d+ (?:runs|tests),/,
  },
  {
    name: 'phpunit',
    section: /^There (?:was|were) \d+ (?:failure|error)s?:$/,
    begins: /^\d+\) /,
    ends: /^(?:FAILURES|ERRORS)!$|^--$/,
  },
  {
    name: 'tsc',
    begins: /^\S.*\(\d+,\d+\): error TS\d+: |^\S+:\d+:\d+ - error TS\d+: |^error TS\d+: /,
    ends: /^Found \d+ error|^> /,
  },
  {
    name: 'oxlint',
    begins: /^\s*[×x]\s+\S+\(\S+\): /,
    ends: /^\s*[⚠!]\s+\S+\(\S+\): |^Found \d+ warning|^Finished in /,
    noise: /^\s*[╭╰`][─-]+$|^\s*[·:]\s*$/,
    vital: /^\s*[×x]\s|^\s*(?:╭─|,-)\[/,
  },
  {
    name: 'eslint',
    begins: /^(?:[A-Za-z]:)?[^\s:][^:]*\.\w+$/,
    second: /^\s+\d+:\d+\s+(?:error|warning)\s/,
    ends: /^$/,
    noise: /^\s+\d+:\d+\s+warning\s/,
  },
  {
    name: 'TAP',
    begins: /^\s*not ok \d+(?!.*# (?:TODO|SKIP))/i,
    ends: /^\s*(?:ok \d+|not ok \d+|# Subtest|\d+\.\.\d+)|^# (?:tests|pass|fail) /,
    noise: NODE_NOISE,
    vital: NODE_VITAL,
    repeats: /failureType: 'subtestsFailed'/,
  },
  {
    name: 'node:test, spec, without its end',
    begins: /^\s*✖ .+ \(\d[\d.]*ms\)$/,
    ends: /^\s*(?:ℹ|✔|▶|﹣) /,
    noise: NODE_NOISE,
    vital: NODE_VITAL,
  },
  { name: 'pytest, short', begins: /^(?:FAILED|ERROR) \S+\.py\b/, ends: /^/ },
  {
    name: 'a compiler',
    begins: /^[^\s:]+:\d+(?::\d+)?: (?:fatal )?error: |^[^\s:]+\.go:\d+:\d+: /,
    ends: /^[^\s|]/,
  },
  {
    name: 'make',
    begins: /^(?:g?make|ninja)(?:\[\d+\])?: \*\*\* /,
    leads: /./,
    ends: /^/,
  },
];
