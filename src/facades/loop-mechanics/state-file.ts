import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { loopMechanics } from '../../dialects/loop-mechanics/dialect.ts';
import type { LoopState } from '../../dialects/loop-mechanics/state.ts';
import { readLoopState, setLoopState } from '../../dialects/loop-mechanics/state.ts';
import { STATE_FILE } from '../../dialects/loop-mechanics/descriptor.ts';
import { changeFile } from '../../engine/change-file.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import { ensureDir } from '../../system/files.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { placeInProject } from '../embedded-engine.ts';

export function placeOf(project: string, session: DialectPlace['session']): DialectPlace {
  return placeInProject(loopMechanics, project, STATE_FILE, session);
}

/** `null` = there is no readable state file. */
export function stateIn(engine: EmbeddedEngine, { live }: DialectPlace): LoopState | null {
  const bytes = engine.effects.readFile(live.path);
  const found = bytes === null ? null : readLoopState(bytes.text);
  return found?.kind === 'state' ? found.state : null;
}

/** Before a new loop is written: an unreadable file may still contain someone's work. Throws a Fault. */
export function readStateBeforeStart(engine: EmbeddedEngine, { live }: DialectPlace): LoopState | null {
  const bytes = engine.effects.readFile(live.path);
  const found = bytes === null ? null : readLoopState(bytes.text);
  if (found?.kind === 'invalid')
    throw new Fault(
      'STATE_FILE_INVALID',
      `Cannot start a loop over ${live.path}: ${found.why}. Correct it or delete it first.`,
    );
  return found?.state ?? null;
}

/** Writes a new file, replacing any earlier one. */
export function writeState(engine: EmbeddedEngine, { live }: DialectPlace, text: string): void {
  ensureDir(path.dirname(live.path));
  changeFile(engine.effects, live.path, () => text);
}

/** Changes some fields of the current file; the engine treats it like any other edit. */
export function editState(
  engine: EmbeddedEngine,
  { live }: DialectPlace,
  change: (state: LoopState) => Partial<LoopState>,
): void {
  changeFile(engine.effects, live.path, (text) => {
    const found = text === null ? null : readLoopState(text);
    return text === null || found?.kind !== 'state' ? text : setLoopState(text, change(found.state));
  });
}
