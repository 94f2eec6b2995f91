import path from 'node:path';
import type { SessionRef } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { ralphWiggumIn } from '../../dialects/ralph-wiggum/dialect.ts';
import type { WiggumFile } from '../../dialects/ralph-wiggum/read.ts';
import { isOver, wiggumFile } from '../../dialects/ralph-wiggum/read.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import type { Sightings } from '../../engine/file-owner.ts';
import { isEdited, readLiveFile } from '../../engine/live-file.ts';
import type { Loaded } from '../../engine/ports.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { placeInProject } from '../embedded-engine.ts';
import { withJournalRecords } from './journal-records.ts';
import type { Vault } from './vault.ts';

/** The session that stopped, and where. */
export type VaultSession = {
  readonly engine: EmbeddedEngine;
  readonly vault: Vault;
  readonly dialect: Dialect;
  readonly session: SessionRef;
  readonly seen?: Sightings;
};

/** The current state of a state file and its loop. */
export type FileLoop = {
  readonly loopId: string;
  /** `undefined` = it is gone or cannot be read. */
  readonly file: WiggumFile | undefined;
  /** What the file itself shows about its loop: `ended` = it is gone, or has a status that ends the loop. */
  readonly statusInFile: 'open' | 'ended' | 'nothing';
  readonly loaded: Loaded | undefined;
  /** Someone else has written the file since we did. */
  readonly edited: boolean;
  /** When the file was last written, and when the previous loop in the same file ended (epoch); `null` = unknown. */
  readonly writtenMs: number | null;
  readonly previousEndMs: number | null;
};

export function openVaultSession(engine: EmbeddedEngine, vault: Vault, session: SessionRef): VaultSession {
  return {
    engine,
    vault,
    dialect: withJournalRecords(ralphWiggumIn(vault.folders.stateFolder), engine),
    session,
  };
}

export function placeOf({ vault, dialect, session, seen = {} }: VaultSession, file: string): DialectPlace {
  return { ...placeInProject(dialect, vault.project, file, session), ...seen };
}

export function readFileLoop({ engine }: VaultSession, place: DialectPlace): FileLoop {
  const { bytes, reading } = engine.run(readLiveFile(place.live));
  const file = bytes === null ? undefined : wiggumFile(bytes.text);
  const loaded = engine.run(loopOfFile(place));
  const current = loaded === undefined || isEnded(loaded.state) ? undefined : loaded;
  return {
    loopId: file?.loop_id ?? path.basename(place.file, '.json'),
    file,
    statusInFile: reading === null || isOver(file?.status) ? 'ended' : file === undefined ? 'nothing' : 'open',
    loaded: current,
    edited: current === undefined || isEdited(current.state, bytes),
    writtenMs: bytes?.changedMs ?? null,
    previousEndMs: Date.parse(loaded?.state.endedAt ?? '') || null,
  };
}
