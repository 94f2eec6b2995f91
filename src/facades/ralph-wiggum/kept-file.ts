import path from 'node:path';
import type { Event } from '../../core/event.ts';
import type { Loop } from '../../core/journal.ts';
import type { AskedTimes, Dialect } from '../../dialects/dialect.ts';
import { ralphWiggum } from '../../dialects/ralph-wiggum/dialect.ts';
import { wiggumFile } from '../../dialects/ralph-wiggum/read.ts';
import type { Handled } from '../../engine/ports.ts';
import { systemClock } from '../../system/clock.ts';
import { fileEffects } from '../../system/file-effects.ts';
import { readTextIfExists } from '../../system/files.ts';
import { filesOfFolder } from '../../system/folder.ts';
import type { Vault } from './vault.ts';
import { findVault, inVault } from './vault.ts';

/** The dialect for a command of the user: resuming an ended loop restores its file from the history folder. */
export function wiggumWithHistory(cwd: string): Dialect {
  return {
    ...ralphWiggum,
    endIsUncounted: true,
    newText: (loop: Loop, asked?: AskedTimes): string => {
      const kept = findKept(findVault(cwd, {}), loop);
      return kept === undefined ? ralphWiggum.newText(loop, asked) : resumedText(kept.text, loop);
    },
  };
}

/** Running, with the limits in force. */
function resumedText(text: string, loop: Loop): string {
  const { iterationsMax, durationMaxMs } = loop.state.limits;
  const reading = ralphWiggum.read(text);
  const isSame = (field: 'iterationsMax' | 'durationMaxMs'): boolean =>
    reading.kind === 'loop' && reading[field] === loop.state.limits[field];
  const limits = {
    ...(isSame('iterationsMax') ? {} : { iterationsMax }),
    ...(isSame('durationMaxMs') ? {} : { durationMaxMs }),
  };
  const again = ralphWiggum.resumed?.(text, limits) ?? text;
  return ralphWiggum.project(again, loop) ?? again;
}

/** Called after the resume was committed and the file was restored. */
export function leaveHistory(event: Event, { decision, loaded }: Handled): void {
  if (event.kind !== 'resume-requested' || decision.kind !== 'continue' || loaded === undefined) return;
  const vault = findVault(loaded.state.cwd, {});
  const kept = findKept(vault, loaded);
  const isBack = readTextIfExists(path.join(loaded.state.cwd, loaded.spec.dialect?.file ?? '')) !== undefined;
  if (vault === undefined || kept?.isExact !== true || !isBack) return;
  fileEffects(systemClock()).replaceFile(inVault(vault, 'historyFolder', kept.name), kept.hash, null);
}

type Kept = { readonly name: string; readonly text: string; readonly hash: string; readonly isExact: boolean };

/** The file that this loop left there: the text that it wrote last, or else the newest one with its id and start time. */
function findKept(vault: Vault | undefined, { spec, state }: Loop): Kept | undefined {
  const stem = path.basename(spec.dialect?.file ?? '', '.json');
  if (vault === undefined || stem === '') return undefined;
  const { hashText } = fileEffects(systemClock());
  const hashes = new Set([state.file?.written, state.file?.read, ...(state.file?.older ?? [])]);
  const { id, startedAt } = spec.dialect?.identity ?? {};
  const kept = filesOfFolder(path.join(vault.project, vault.folders.historyFolder))
    .filter(({ name }) => name.startsWith(stem) && /^(?:-\d+)?\.json$/u.test(name.slice(stem.length)))
    .toSorted((a, b) => b.changedMs - a.changedMs)
    .flatMap(({ name }): Kept[] => {
      const text = readTextIfExists(inVault(vault, 'historyFolder', name));
      if (text === undefined) return [];
      const hash = hashText(text);
      return [{ name, text, hash, isExact: hashes.has(hash) }];
    });
  const isSameLoop = ({ text }: Kept): boolean => {
    const file = wiggumFile(text);
    return file !== undefined && id !== undefined && file.loop_id === id && file.started_at === startedAt;
  };
  return kept.find(({ isExact }) => isExact) ?? kept.find(isSameLoop);
}
