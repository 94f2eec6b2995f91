/**
 * Under a runner, nothing is a terminal. Products ask for one honestly: they color what they print, or ask a question. In the rewritten lines the
 * runner's own process has one; what a test set itself counts, and a program that a test starts sees what it has.
 */
import type { Rewrite } from './rewrite-lines.ts';
import { NOT_SET, OF_NODE, PYTHON_RUNS_TESTS, RUNS_TESTS, word } from './runner-traces.ts';

const STREAM = '(stdout|stderr|stdin)';
/** On a pipe, the property is missing: what a test has set is not. */
const isTerminal = `(process.$1.isTTY ?? ${RUNS_TESTS})`;

export const SCRIPT_TERMINAL: readonly Rewrite[] = [
  // A parenthesis at the beginning of a line would call what the line above ends with.
  [new RegExp(`(?<=^\\s*)${OF_NODE}${STREAM}(?:\\?\\.|\\.)isTTY\\b${NOT_SET}`, 'g'), `Boolean${isTerminal}`],
  [
    new RegExp(`${OF_NODE}${STREAM}(?:(?:\\?\\.|\\.)isTTY\\b|(?:\\?\\.)?\\[ ?['"\`]isTTY['"\`] ?\\])${NOT_SET}`, 'g'),
    isTerminal,
  ],
  [
    /(?<=\{[^{}]{0,200}\bisTTY\b[^{}]{0,200}\} = )process\.(stdout|stderr|stdin)\b(?![.?[(])/g,
    `{ isTTY: process.$1.isTTY ?? ${RUNS_TESTS} }`,
  ],
  [/(?<![\w$.]|\bfunction )((?:tty\.)?isatty ?\( ?[\w.]{1,40} ?\))(?! ?\{)/g, `[$1, ${RUNS_TESTS}].some(Boolean)`],
];

export const PYTHON_TERMINAL: readonly Rewrite[] = [
  [
    /(?<![\w.])sys\.(stdout|stderr|stdin)\.isatty ?\( ?\)/g,
    `(sys.$1.isatty() or (${word('isatty')} not in vars(sys.$1) and ${PYTHON_RUNS_TESTS}))`,
  ],
  [/(?<![\w.])(os\.isatty ?\( ?[012] ?\))/g, `($1 or ${PYTHON_RUNS_TESTS})`],
];

/** The programs of tests are in a folder of their own. */
export const RUST_TERMINAL: readonly Rewrite[] = [
  [
    /(?<![\w.:])((?:(?:std::)?io::)?(?:stdout|stderr|stdin)\(\)\.is_terminal\(\)|(?:std::)?(?:io::)?IsTerminal::is_terminal\( ?&[\w:]{1,40}\(\) ?\))/g,
    '($1 || std::env::current_exe().map_or(false, |exe| exe.parent().map_or(false, |dir| dir.ends_with("deps"))))',
  ],
];

// oxlint-disable-next-line no-control-regex
const RAW_CODE = /\u001b\[[\d;?]{0,20}[A-Za-z]/;
/** Escape codes as runners quote them, and methods that only terminals have. */
const OF_TERMINALS =
  /(?:\\x1b|\\u001b|\\u\{1b\}|\\033|␛)\[[\d;?]{0,20}[A-Za-z]|\b(?:clearLine|clearScreenDown|cursorTo|moveCursor|setRawMode|getWindowSize|hasColors|getColorDepth) is not a function/i;

export function hasColors(output: string): boolean {
  return RAW_CODE.test(output);
}

/** Does a check fail because of how something looks on a terminal? `isColored`: its output has colors anyway. */
export function showsTerminal(output: string, isColored: boolean): boolean {
  return OF_TERMINALS.test(output) || (!isColored && hasColors(output));
}
