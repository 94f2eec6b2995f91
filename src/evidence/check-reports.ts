/**
 * The report files of a check. Only files that this run wrote count: a report that already existed, planted or left by an earlier run,
 * proves nothing. Files are compared and never removed, because a pattern may match files of the user. Nothing outside the project is read,
 * and nothing through a link. A report that cannot be read is an answer, never a fault.
 */
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { TestCounts } from '../core/evidence.ts';
import { ignoringErrno } from '../system/errno.ts';
import { findFiles } from './glob-walk.ts';
import { readRegular } from './read-regular.ts';
import { countReport } from './test-counts/read-report.ts';

/** Per report. Runners write a few hundred bytes per test. */
const REPORT_BYTES_MAX = 16 * 1024 * 1024;
/** For all reports of one run together. */
const REPORTS_BYTES_MAX = 4 * REPORT_BYTES_MAX;
const REPORTS_MAX = 10_000;

/** The report files that existed before the run, with a mark of each one's state. */
export type ReportMarks = ReadonlyMap<string, string>;

export type ReportAnswer =
  | { readonly kind: 'counted'; readonly tests: TestCounts }
  /** `why`: an explanation for people, beginning with the name of the file. */
  | { readonly kind: 'none'; readonly why: string };

export function markReports(cwd: string, patterns: readonly string[]): ReportMarks {
  return new Map(findFiles(cwd, patterns).paths.map((file) => [file, markOf(path.join(cwd, file)) ?? '']));
}

/** The sum of all reports that were written since `before` was taken. */
export function readReports(cwd: string, patterns: readonly string[], before: ReportMarks): ReportAnswer {
  const folder = patterns.find((pattern) => isFolder(path.join(cwd, pattern)));
  if (folder !== undefined) return none(folder, 'is a folder: name the files in it');
  const found = findFiles(cwd, patterns).paths;
  const written = found.filter((file) => markOf(path.join(cwd, file)) !== before.get(file));
  const [first = patterns.join(', ')] = found;
  if (written.length === 0)
    return none(first, found.length === 0 ? 'was not written' : 'is older than this run, which did not write it');
  if (written.length > REPORTS_MAX) return none(patterns.join(', '), `matches more than ${REPORTS_MAX} files`);
  const counts: TestCounts[] = [];
  let left = REPORTS_BYTES_MAX;
  for (const file of written) {
    const read = readReport(cwd, file, Math.min(left, REPORT_BYTES_MAX));
    if (read.kind === 'none') return read;
    left -= read.bytes;
    counts.push(read.tests);
  }
  return { kind: 'counted', tests: sumOf(counts) };
}

type Read = (ReportAnswer & { kind: 'none' }) | { kind: 'read'; bytes: number; tests: TestCounts };

function readReport(cwd: string, file: string, bytesMax: number): Read {
  const full = path.join(cwd, file);
  if (!isPlainInside(cwd, full)) return none(file, 'is a link, leads out of the project, or is not a regular file');
  const read = readRegular(full, bytesMax);
  if (read.kind === 'too-large') return none(file, 'is too large');
  if (read.kind !== 'bytes') return none(file, 'cannot be read');
  const tests = countReport(read.bytes.toString('utf8'));
  return tests === undefined
    ? none(file, 'is not a complete report in a known format')
    : { kind: 'read', bytes: read.bytes.length, tests };
}

function none(file: string, what: string): ReportAnswer & { kind: 'none' } {
  return { kind: 'none', why: `${file} ${what}` };
}

/** Includes the ctime, which programs cannot set. */
function markOf(full: string): string | undefined {
  const found = ignoringErrno(() => lstatSync(full, { bigint: true }));
  return found === undefined ? undefined : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

function isFolder(full: string): boolean {
  return ignoringErrno(() => lstatSync(full).isDirectory()) === true;
}

function isPlainInside(cwd: string, full: string): boolean {
  if (ignoringErrno(() => lstatSync(full).isFile()) !== true) return false;
  const [root, real] = [ignoringErrno(() => realpathSync(cwd)), ignoringErrno(() => realpathSync(full))];
  return root !== undefined && real?.startsWith(root.endsWith(path.sep) ? root : root + path.sep) === true;
}

function sumOf(all: readonly TestCounts[]): TestCounts {
  const add = (of: keyof TestCounts): number => all.reduce((sum, counts) => sum + counts[of], 0);
  return { ran: add('ran'), failed: add('failed'), skipped: add('skipped') };
}
