import { withoutByteOrderMark } from '../core/parse-json.ts';
import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from '../core/evidence.ts';
import type { CheckSpec, Probe } from '../core/loop.ts';
import { errnoOf } from '../system/errno.ts';
import { matchWithin } from '../system/match-within.ts';
import { isSameJson, pointInto } from './json-pointer.ts';
import { readRegular } from './read-regular.ts';

export type FileProbe = Exclude<Probe, { kind: 'command' } | { kind: 'git-clean' }>;

/** The result of a look at the files. `detail` is for people; it becomes the tail. */
export type LookResult =
  | { readonly result: 'passed' | 'failed'; readonly detail: string }
  | { readonly result: 'unknown'; readonly unknown: 'timed-out' | 'not-runnable'; readonly detail: string };

/** Larger files are `unknown`: half a file may match a pattern that the whole file does not. */
const CONTENT_BYTES_MAX = 4 * 1024 * 1024;
/** Matching blocks the whole process, so it gets less time than a check. */
const MATCH_MS_MAX = 2000;

/**
 * Predicates on files, evaluated without running a command. Paths are relative to the project. They only read, so a symbolic link that
 * leads out of the project is followed like any other. A missing file is a fact (`failed`); a file we may not look at is `unknown`.
 */
export function lookAtFiles(cwd: string, check: CheckSpec, probe: FileProbe): LookResult {
  // Otherwise "the file is gone" would pass in a project that is gone.
  if (!exists(cwd)) return notRunnable(`The directory ${cwd} does not exist.`);
  try {
    return lookAt(cwd, check, probe);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return notRunnable(`${probe.path} cannot be read (${errno}).`);
  }
}

export function lookResult(name: string, durationMs: number, look: LookResult): CheckResult {
  const { detail: tail, ...answer } = look;
  return { name, durationMs, tail, ...answer };
}

function lookAt(cwd: string, check: CheckSpec, probe: FileProbe): LookResult {
  const file = path.resolve(cwd, probe.path);
  switch (probe.kind) {
    case 'file-exists':
      return exists(file) ? passed(`${probe.path} exists.`) : failed(`${probe.path} does not exist.`);
    case 'file-moved':
      return lookMoved(cwd, probe);
    case 'file-matches':
      return lookMatches(file, check, probe);
    case 'json-value':
      return lookJson(file, probe);
  }
}

/**
 * Gone from its place and present in the folder. A file in neither place was not moved there, so `failed`; whether it never existed or was
 * deleted makes no difference.
 */
function lookMoved(cwd: string, { path: from, folder }: FileProbe & { kind: 'file-moved' }): LookResult {
  // If a link was left in its place, even a broken one, the file is not gone.
  const isGone = !found(() => lstatSync(path.resolve(cwd, from)));
  const to = path.join(folder, path.basename(from));
  const hasArrived = exists(path.resolve(cwd, to));
  if (isGone && hasArrived) return passed(`${from} was moved to ${to}.`);
  if (isGone) return failed(`There is neither ${from} nor ${to}.`);
  return failed(hasArrived ? `${to} exists, but ${from} still exists.` : `${from} still exists.`);
}

/** `^` and `$` match at line ends; case-sensitive. */
function lookMatches(file: string, check: CheckSpec, probe: FileProbe & { kind: 'file-matches' }): LookResult {
  const pattern = compile(probe.pattern);
  if (pattern === undefined) return notRunnable(`${probe.pattern} is not a regular expression.`);
  const text = readText(file, probe.path);
  if (typeof text !== 'string') return text;
  const answer = matchWithin(pattern, text, Math.min(check.timeoutMs, MATCH_MS_MAX));
  if (answer === 'timed-out')
    return {
      result: 'unknown',
      unknown: 'timed-out',
      detail: `Matching ${probe.path} took too long: simplify the pattern.`,
    };
  return answer ? passed(`${probe.path} matches.`) : failed(`${probe.path} does not match ${probe.pattern}`);
}

function lookJson(file: string, probe: FileProbe & { kind: 'json-value' }): LookResult {
  const text = readText(file, probe.path);
  if (typeof text !== 'string') return text;
  const parsed = parseJson(text);
  if (parsed === undefined) return notRunnable(`${probe.path} is not valid JSON.`);
  const pointed = pointInto(parsed.value, probe.pointer);
  switch (pointed.kind) {
    case 'bad-pointer':
      return notRunnable(
        `"${probe.pointer}" is not a JSON pointer: it begins with "/", and "~" must be followed by 0 or 1.`,
      );
    case 'missing':
      return failed(`${probe.path} has nothing at "${probe.pointer}".`);
    case 'value':
      return isSameJson(pointed.value, probe.equals)
        ? passed(`"${probe.pointer}" in ${probe.path} has the expected value.`)
        : failed(`"${probe.pointer}" in ${probe.path} is ${show(pointed.value)}, not ${show(probe.equals)}.`);
  }
}

function readText(file: string, name: string): string | LookResult {
  const read = readRegular(file, CONTENT_BYTES_MAX);
  switch (read.kind) {
    case 'bytes':
      return withoutByteOrderMark(read.bytes.toString('utf8'));
    case 'missing':
      return failed(`${name} does not exist.`);
    case 'too-large':
      return notRunnable(`${name} has more than ${read.bytesMax} bytes.`);
    case 'unreadable':
      return notRunnable(`${name} cannot be read: ${read.reason}.`);
  }
}

const SHOWN_LENGTH_MAX = 200;

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, SHOWN_LENGTH_MAX);
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'm');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function exists(file: string): boolean {
  return found(() => statSync(file));
}

/** `throwIfNoEntry: false` is not enough: it still throws if a part of the path is a file. */
function found(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

function passed(detail: string): LookResult {
  return { result: 'passed', detail };
}

function failed(detail: string): LookResult {
  return { result: 'failed', detail };
}

function notRunnable(detail: string): LookResult {
  return { result: 'unknown', unknown: 'not-runnable', detail };
}
