import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { ContinuationState } from '../../dialects/stravinsky/read.ts';
import type { NewContinuation } from '../../dialects/stravinsky/new-continuation.ts';
import { CONTINUATION_LOOP_FILE } from '../../dialects/stravinsky/descriptor.ts';
import { newContinuation } from '../../dialects/stravinsky/new-continuation.ts';
import { faultIn, parseState } from '../../dialects/stravinsky/read.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';

/** The path of a project's state file. */
export function continuationLoopFile(cwd: string): string {
  return path.resolve(cwd, CONTINUATION_LOOP_FILE);
}

/** `undefined` = there is none, or the document would ignore it. */
export function readState(cwd: string): ContinuationState | undefined {
  const text = readTextIfExists(continuationLoopFile(cwd));
  return text === undefined ? undefined : parseState(text);
}

/**
 * Writes the state file of a new loop, which its first stop starts. Refuses to overwrite an active one with iterations left, and a file
 * that is not a state file.
 */
export function startLoop(cwd: string, asked: NewContinuation): string {
  const fresh = newContinuation(asked);
  const file = continuationLoopFile(cwd);
  const text = readTextIfExists(file);
  const before = text === undefined ? undefined : parseState(text);
  if (text !== undefined && text.trim() !== '' && before === undefined)
    throw new Fault(
      'STATE_FILE_INVALID',
      `Cannot start a loop over ${file}: it is not a state file (${faultIn(text)}). Correct it or move it away.`,
    );
  if (before?.active === true && before.iteration_count < before.max_iterations) {
    throw new Fault('USAGE', `A continuation loop is active in ${file}. Set "active: false" there or delete it first.`);
  }
  ensureDir(path.dirname(file));
  writeFileAtomic(file, fresh, { durable: false });
  return file;
}
