import path from 'node:path';
import type { SessionRef } from '../../core/loop.ts';
import { isEnded, isSameSession } from '../../core/loop.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { WiggumFile } from '../../dialects/ralph-wiggum/read.ts';
import { wiggumFile } from '../../dialects/ralph-wiggum/read.ts';
import type { DialectPlace } from '../../engine/dialect-loop.ts';
import { loopOfFile } from '../../engine/dialect-loop.ts';
import { isEdited } from '../../engine/live-file.ts';
import type { Loaded } from '../../engine/ports.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { placeInProject } from '../embedded-engine.ts';
import type { Vault } from './vault.ts';

/** Whose stop it is, and where. */
export type VaultSession = {
  readonly engine: EmbeddedEngine;
  readonly vault: Vault;
  readonly dialect: Dialect;
  readonly session: SessionRef;
};

export type Chosen =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly file: string; readonly why: string }
  | { readonly kind: 'file'; readonly place: DialectPlace };

/** A state file and its loop as they stand now. */
export type FileLoop = {
  readonly loopId: string;
  readonly file: WiggumFile | undefined;
  readonly loaded: Loaded | undefined;
  /** Someone else wrote the file since we did. */
  readonly edited: boolean;
};

export function placeOf({ vault, dialect, session }: VaultSession, file: string): DialectPlace {
  return placeInProject(dialect, vault.project, file, session);
}

export function readFileLoop({ engine }: VaultSession, place: DialectPlace): FileLoop {
  const bytes = engine.effects.readFile(place.live.path);
  const file = bytes === null ? undefined : wiggumFile(bytes.text);
  const loaded = engine.run(loopOfFile(place));
  const current = loaded === undefined || isEnded(loaded.state) ? undefined : loaded;
  return {
    loopId: file?.loop_id ?? path.basename(place.file, '.json'),
    file,
    loaded: current,
    edited: current === undefined || isEdited(current.state.file, bytes),
  };
}

/** The first file whose loop belongs to this session, or else the first that belongs to nobody. */
export function pickFile(vaultSession: VaultSession, files: readonly string[]): Chosen {
  const places = files.map((file) => placeOf(vaultSession, file));
  const vanished = vanishedFile(vaultSession, files);
  const mine = vanished ?? places.find((place) => isMine(vaultSession, place));
  const chosen = mine ?? places.find((place) => isFree(vaultSession, place));
  if (chosen !== undefined) return { kind: 'file', place: chosen };
  for (const { live, file } of places) {
    const bytes = vaultSession.engine.effects.readFile(live.path);
    const reading = bytes === null ? undefined : vaultSession.dialect.read(bytes.text);
    if (reading?.kind === 'invalid') return { kind: 'broken', file, why: reading.why };
  }
  return { kind: 'none' };
}

function isMine(vaultSession: VaultSession, place: DialectPlace): boolean {
  return isSameSession(readFileLoop(vaultSession, place).loaded?.state.session, vaultSession.session);
}

function isFree(vaultSession: VaultSession, place: DialectPlace): boolean {
  if (readFileLoop(vaultSession, place).loaded !== undefined) return false;
  const bytes = vaultSession.engine.effects.readFile(place.live.path);
  const reading = bytes === null ? undefined : vaultSession.dialect.read(bytes.text);
  return (
    reading?.kind === 'loop' &&
    reading.active &&
    (reading.session === null || reading.session === vaultSession.session.id)
  );
}

/** The file of this session's loop was deleted: the user's way to cancel, which someone has to notice. */
function vanishedFile(vaultSession: VaultSession, files: readonly string[]): DialectPlace | undefined {
  const { engine, session, vault, dialect } = vaultSession;
  const loop = engine.effects.loopOfSession(session);
  const loaded = loop === undefined ? undefined : engine.effects.load(loop);
  const of = loaded?.spec.dialect;
  if (loaded === undefined || isEnded(loaded.state) || of?.name !== dialect.name) return undefined;
  return loaded.state.cwd === vault.project && !files.includes(of.file) ? placeOf(vaultSession, of.file) : undefined;
}
