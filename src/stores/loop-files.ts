import path from 'node:path';
import type { LoopId } from '../core/loop.ts';
import { storeFault } from '../system/files.ts';
import { pathPart } from '../system/ids.ts';

/** The files of one loop. `name`: the directory's name, which is the id, escaped so that no id leads out of the store. */
export type LoopFiles = {
  readonly name: string;
  readonly dir: string;
  readonly journal: string;
  readonly blobs: string;
  readonly snapshot: string;
  readonly head: string;
  readonly activity: string;
  readonly activityBefore: string;
  readonly heartbeat: string;
  /** The program that runs the session of the loop. */
  readonly sessionProcess: string;
  /** The request that started the process which waits for a person. */
  readonly watch: string;
};

export function loopsDir(home: string): string {
  return `${home}${path.sep}loops`;
}

export function filesOf(home: string, loop: LoopId): LoopFiles {
  return filesIn(home, pathPart(loop));
}

/** `name` comes from a listing of the store's own directory. */
export function filesIn(home: string, name: string): LoopFiles {
  const dir = `${loopsDir(home)}${path.sep}${name}`;
  // Not `path.join`: a list of a thousand loops builds ten thousand of these paths.
  const inside = (file: string): string => `${dir}${path.sep}${file}`;
  return {
    name,
    dir,
    journal: inside(JOURNAL_NAME),
    blobs: inside('blobs'),
    snapshot: inside('snapshot.json'),
    head: inside('head'),
    activity: inside('activity.jsonl'),
    activityBefore: inside('activity.1.jsonl'),
    heartbeat: inside('heartbeat'),
    sessionProcess: inside('session-process.json'),
    watch: inside('watch.json'),
  };
}

export const JOURNAL_NAME = 'journal.jsonl';

/** Calls the file system; errors become a Fault that names the file. */
export function withStoreFaults<T>(file: string, access: 'read' | 'write', ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw storeFault(error, file, access);
  }
}
