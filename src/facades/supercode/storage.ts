import path from 'node:path';
import { readSupercodeFields } from '../../dialects/supercode/read.ts';
import { SUPERCODE_FILE } from '../../dialects/supercode/descriptor.ts';
import { withIteration } from '../../dialects/supercode/write.ts';
import { systemClock } from '../../system/clock.ts';
import { fileEffects } from '../../system/file-effects.ts';
import { ensureDir, writeFileAtomic } from '../../system/files.ts';
import { changeFile } from '../../engine/change-file.ts';
import { failOpen } from '../../engine/fail-open.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';
import type { RalphLoopState } from './ralph-loop.ts';

const files = fileEffects(systemClock());

/**
 * The state file itself, as in the document. Writing or removing it with these functions is a hand edit: the loop notices it at its next
 * event, and a lowered counter starts a new loop.
 */
export function stateFilePath(workdir: string, stateDir?: string): string {
  return stateDir === undefined || stateDir === ''
    ? path.resolve(workdir, SUPERCODE_FILE)
    : path.resolve(workdir, stateDir, path.basename(SUPERCODE_FILE));
}

/** `null` = there is none, or it cannot be read; the latter is logged. */
export function readState(workdir: string, stateDir?: string): RalphLoopState | null {
  const found = inspectState(workdir, stateDir);
  if (found === null || 'fields' in found) return found?.fields ?? null;
  Log.warn(`[${HOOK_NAME}] Failed to read state: ${stateFilePath(workdir, stateDir)}: ${found.why}`);
  return null;
}

/** Why the state file cannot be read; `null` = it can, or there is none. */
export function problemOfState(workdir: string, stateDir?: string): string | null {
  const found = inspectState(workdir, stateDir);
  return found === null || 'fields' in found ? null : found.why;
}

function inspectState(workdir: string, stateDir?: string): ReturnType<typeof readSupercodeFields> | null {
  try {
    const bytes = files.readFile(stateFilePath(workdir, stateDir));
    return bytes === null ? null : readSupercodeFields(bytes.text);
  } catch (error) {
    return { why: String(error) };
  }
}

export function writeState(workdir: string, state: RalphLoopState, stateDir?: string): boolean {
  return logged('write', false, () => {
    requireWritten(workdir, state, stateDir);
    return true;
  });
}

/** Throws a Fault that names the file and the reason. */
export function requireWritten(workdir: string, state: RalphLoopState, stateDir?: string): void {
  const file = stateFilePath(workdir, stateDir);
  ensureDir(path.dirname(file));
  writeFileAtomic(file, JSON.stringify(state, null, 2), { durable: false });
}

export function clearState(workdir: string, stateDir?: string): boolean {
  return logged('clear', false, () => requireCleared(workdir, stateDir));
}

/** Throws the same Fault. `false` = others kept changing it. */
export function requireCleared(workdir: string, stateDir?: string): boolean {
  return changeFile(files, stateFilePath(workdir, stateDir), () => null);
}

export function incrementIteration(workdir: string, stateDir?: string): RalphLoopState | null {
  const at = new Date().toISOString();
  const isCounted = logged('write', false, () =>
    changeFile(files, stateFilePath(workdir, stateDir), (text) => {
      const found = text === null ? { why: '' } : readSupercodeFields(text);
      return text === null || 'why' in found ? text : withIteration(text, found.fields.iteration + 1, at);
    }),
  );
  return isCounted ? readState(workdir, stateDir) : null;
}

/** The document's functions return `null` or `false` and never throw. */
function logged<T>(what: 'write' | 'clear', otherwise: T, run: () => T): T {
  return failOpen('everything', run, (_, error) => {
    Log.error(`[${HOOK_NAME}] Failed to ${what} state: ${String(error)}`);
    return otherwise;
  });
}
