/**
 * Which hook reported what in a session, so that two hooks of one event know of each other: one file per session, with a line appended per report and
 * another when it is answered. All readers see the lines in the same order, so exactly one of two reports of the same event comes first. Not the
 * truth: if it cannot be written or read, it is as if nobody else had reported anything. Bounded: a full file starts over.
 */
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SessionRef, Worker } from '../core/loop.ts';
import type { EarlierReport, Moment, Report } from '../core/same-report.ts';
import type { Clock } from '../system/clock.ts';
import { errnoOf, ignoringErrno } from '../system/errno.ts';
import { makeDirs } from '../system/files.ts';
import { newId, pathPart } from '../system/ids.ts';
import { isWorkerAlive, thisWorker } from '../system/worker-identity.ts';

const LOG_BYTES_MAX = 64 * 1024;

type Line =
  | { readonly kind: 'report'; readonly id: string; readonly report: Report; readonly worker: Worker }
  | { readonly kind: 'answered'; readonly id: string; readonly at: Moment };

type Noted = { readonly earlier: readonly EarlierReport[]; readonly close: () => void };

const ALONE: Noted = { earlier: [], close: () => undefined };

export function openReportLog(
  home: string,
  clock: Clock,
): { readonly now: () => Moment; readonly note: (session: SessionRef, report: Report) => Noted } {
  const now = (): Moment => {
    const { monotonicMs, boot } = clock.read();
    return { monotonicMs, boot };
  };
  return {
    now,
    note: (session, report) => {
      const file = logOf(home, session);
      const id = newId();
      try {
        makeDirs(path.dirname(file));
        if ((ignoringErrno(() => statSync(file).size) ?? 0) > LOG_BYTES_MAX) rmSync(file, { force: true });
        append(file, { kind: 'report', id, report, worker: thisWorker(clock) });
        return {
          earlier: earlierIn(readLines(file), id),
          close: () => ignoringErrno(() => append(file, { kind: 'answered', id, at: now() })),
        };
      } catch (error) {
        if (errnoOf(error) === undefined) throw error;
        return ALONE;
      }
    },
  };
}

export function forgetReports(home: string, session: SessionRef): void {
  rmSync(logOf(home, session), { force: true });
}

/** A hook that was killed before it got its reply is ignored, so that another hook with the same report gets the reply. */
function earlierIn(lines: readonly Line[], own: string): readonly EarlierReport[] {
  const answers = new Map(lines.flatMap((line) => (line.kind === 'answered' ? [[line.id, line.at] as const] : [])));
  const before = lines.slice(
    0,
    lines.findIndex(({ id }) => id === own),
  );
  return before.flatMap((line): readonly EarlierReport[] => {
    if (line.kind === 'answered') return [];
    const { words, name } = line.report;
    const answered = answers.get(line.id);
    if (answered === undefined && isWorkerAlive(line.worker) !== true) return [];
    return [{ words, ...(name === undefined ? {} : { name }), ...(answered === undefined ? {} : { answered }) }];
  });
}

/** With a line break before it, so that a torn line never swallows its neighbour. */
function append(file: string, line: Line): void {
  appendFileSync(file, `\n${JSON.stringify(line)}\n`);
}

function readLines(file: string): readonly Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      if (!text.startsWith('{"kind":')) return [];
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written whole by `append`; a torn line does not parse.
        return [JSON.parse(text) as Line];
      } catch (error) {
        if (error instanceof SyntaxError) return [];
        throw error;
      }
    });
}

function logOf(home: string, { host, id }: SessionRef): string {
  return path.join(home, 'heard', pathPart(host), pathPart(id));
}
