import path from 'node:path';
import { isEnded, isSameSession } from '../../core/loop.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import type { LiveFile } from '../../engine/live-file.ts';
import { startsNewLoop, project, readLiveFile } from '../../engine/live-file.ts';
import type { Loaded } from '../../engine/ports.ts';
import { endOf } from '../../engine/unseen-outcome.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import type { Vault } from './vault.ts';
import { inVault } from './vault.ts';
import type { VaultSession } from './vault-session.ts';

/** More files of one name than anyone will have; beyond that the last one is overwritten. */
const VERSIONS_MAX = 1000;

export type MovedFile = {
  /** Its new path, relative to the project. */
  readonly kept: string;
  readonly loaded: Loaded;
  /** The end of the loop could not be written before, so nobody was notified of it. */
  readonly isLate: boolean;
};

/**
 * Moves the state file of an ended loop to the history folder; the text is written there before it is removed here. Also finishes a move
 * whose process died in between. `undefined` = it stays: its loop continues, or someone began a new one in it.
 */
export function moveToHistory(engine: EmbeddedEngine, vault: Vault, live: LiveFile): MovedFile | undefined {
  const loaded = engine.run(loopOfFile({ live }));
  if (loaded === undefined || !isEnded(loaded.state)) return undefined;
  const { bytes: found } = engine.run(readLiveFile(live));
  if (found === null || startsNewLoop(loaded.state, found)) return undefined;
  engine.run(project(live, found, loaded));
  const final = engine.effects.readFile(live.path);
  if (final === null) return undefined;
  const name = freeName(vault, path.basename(live.path), final.text);
  ensureDir(path.join(vault.project, vault.folders.historyFolder));
  writeFileAtomic(inVault(vault, 'historyFolder', name), final.text, { durable: true });
  engine.effects.replaceFile(live.path, final.hash, null);
  return { kept: `${vault.folders.historyFolder}/${name}`, loaded, isLate: found.hash !== final.hash };
}

/** The ends of this session's loops that could not be written, and therefore not reported, before. */
export function lateEndNotices(
  { dialect, session }: VaultSession,
  moved: readonly (MovedFile | undefined)[],
): readonly string[] {
  return moved.flatMap((one) => {
    if (one?.isLate !== true || !isSameSession(one.loaded.state.session, session)) return [];
    const decision = endOf(one.loaded.state);
    return decision === null ? [] : [dialect.wordsFor({ decision, loop: one.loaded, reading: null }).reason];
  });
}

/** Never overwrites another loop's file; the same text may be there after a crash between the two steps. */
function freeName(vault: Vault, name: string, text: string): string {
  const stem = name.slice(0, -'.json'.length);
  for (let version = 1; ; version++) {
    const candidate = version === 1 ? name : `${stem}-${version}.json`;
    const there = readTextIfExists(inVault(vault, 'historyFolder', candidate));
    if (there === undefined || there === text || version >= VERSIONS_MAX) return candidate;
  }
}
