import { parseJson } from '../../core/parse-json.ts';
import { fieldsOf, textIn } from './json-lines.ts';

/** The end of a program's output, its prompt, and the shell line that started it. */
export type PrintedOutput = {
  readonly prompt: string;
  readonly stderrTail: string;
  readonly stdoutTail: string;
  readonly command: string;
};

/**
 * `stdoutError`: an error on stdout, in the form of a client that prints its errors there; empty = none. Everything else on stdout is the agent's
 * work.
 */
export type ErrorChannel = Pick<PrintedOutput, 'stderrTail' | 'stdoutTail'> & { readonly stdoutError: string };

/**
 * What a failed program reported about itself. Some programs print their prompt (Codex on stderr, a usage message with its arguments), and
 * the prompt quotes checks and messages of earlier failures: none of that is an error of this turn. Codex also prints commands and their
 * output on stderr, so only the lines that it marks as errors count.
 */
export function errorChannel({ prompt, stderrTail, stdoutTail, command }: PrintedOutput): ErrorChannel {
  const echo = linesOf(prompt).filter((line) => line !== '');
  const ownStderr = withoutEcho(stderrTail, echo);
  const marked = CODEX_HEAD.test(stderrTail) ? codexError(ownStderr) : null;
  if (marked !== null) return { stderrTail: marked, stdoutTail: '', stdoutError: '' };
  const printed = withoutEcho(stdoutTail, echo);
  return { stderrTail: ownStderr, stdoutTail: printed, stdoutError: errorOnStdout(printed, command) };
}

/** The last line, because a client that fails prints nothing after its error. */
function errorOnStdout(stdout: string, command: string): string {
  const last = linesOf(stdout.trimEnd()).at(-1) ?? '';
  if (last.startsWith('{')) return failedResult(last);
  return CLAUDE_COMMAND.test(command) && CLAUDE_ERROR.test(last) ? last : '';
}

/** Claude Code, and clients that copied `--output-format json` from it. */
function failedResult(line: string): string {
  const result = fieldsOf(parseJson(line));
  const isFailed = textIn(result, 'type') === 'result' && result?.['is_error'] === true;
  return isFailed ? (textIn(result, 'result') ?? '') : '';
}

const CLAUDE_COMMAND = /(?:^|[\s/\\;&|("'`])claude(?:\.(?:cmd|exe|ps1))?(?=[\s;&|)"'`]|$)/u;
/** The error that `claude -p` prints in place of a result (2.1.325). */
const CLAUDE_ERROR =
  /^(?:API Error: |You've (?:hit|reached) your |Claude (?:AI |Code )?usage limit reached|Credit balance is too low|Invalid API key · |Not logged in · |Please run \/login · |Failed to authenticate\b|OAuth token )/u;

/** The header of `codex exec`, or its end if the beginning was cut off. */
const CODEX_HEAD = /^(?:OpenAI Codex v\d|session id: \S+\n-{8}$)/mu;
const CODEX_TOKENS = /\ntokens used\n[\d,.]+\s*$/u;

/** The last error, which Codex prints twice. Lines before it may belong to a command that it ran. */
function codexError(stderr: string): string | null {
  const found =
    stderr
      .replace(CODEX_TOKENS, '')
      .split(/^(?=ERROR: )/mu)
      .at(-1)
      ?.trimEnd() ?? '';
  return found.startsWith('ERROR: ') ? found : null;
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

/** Removes each copy of the prompt, even an indented or quoted one, and the end of a copy whose beginning was cut off. */
function withoutEcho(text: string, echo: readonly string[]): string {
  if (echo.length === 0 || text === '') return text;
  const lines = text.split('\n');
  const kept: string[] = [];
  let at = endOfCutEcho(lines, echo);
  while (at < lines.length) {
    const end = endOfEcho(lines, at, echo);
    if (end === null) {
      kept.push(lines[at] ?? '');
      at += 1;
    } else at = end;
  }
  return kept.join('\n');
}

/** Matches a quoted empty line too. */
const EMPTY = /^[\s>|]*$/u;

/** The line where a copy that begins here ends; `null` = no copy begins here. Empty lines are ignored on either side. */
function endOfEcho(lines: readonly string[], from: number, echo: readonly string[]): number | null {
  let at = from;
  for (const [index, wanted] of echo.entries()) {
    if (index > 0) at = skipEmpty(lines, at);
    const line = lines[at];
    if (line === undefined || !isCopy(line.trim(), wanted, echo.length)) return null;
    at += 1;
  }
  return at;
}

function skipEmpty(lines: readonly string[], from: number): number {
  let at = from;
  while (EMPTY.test(lines[at] ?? 'end')) at += 1;
  return at;
}

/**
 * In a prompt of several lines, each may be quoted (`> text`); a one-line prompt must match exactly, because it could be the end of an error by
 * chance.
 */
function isCopy(line: string, wanted: string, length: number): boolean {
  return length === 1 ? line === wanted : line.endsWith(wanted);
}

/** Only the end of a long output is kept: it may begin in the middle of a copy. */
function endOfCutEcho(lines: readonly string[], echo: readonly string[]): number {
  const first = lines.findIndex((line) => line.trim() !== '');
  const head = lines[first]?.trim() ?? '';
  if (first === -1) return 0;
  for (let start = 1; start < echo.length; start += 1) {
    if (!echo[start]?.endsWith(head)) continue;
    const end = endOfEcho(lines, first + 1, echo.slice(start + 1));
    if (end !== null && start + 1 < echo.length) return end;
  }
  return 0;
}
