import type { Event } from '../core/event.ts';
import type { FileReading } from '../core/foreign-file.ts';
import type { Edits, Limits, Spec } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { finishingOf, ownChecks } from './own-checks.ts';
import type { Loaded } from './ports.ts';
import type { Extras } from './start-from-file.ts';

type Document = FileReading & { kind: 'loop' };

/**
 * What a stop asks for in addition to the document, and its loop does not have: the loop began where that was not known, in a program or under
 * another command of the hook. `null` = nothing. The baseline is taken, so files to protect and the clean room come too late.
 */
export function lateExtras(loaded: Loaded, reading: FileReading | null, extras: Extras): Event | null {
  const { asked, state } = loaded;
  if (reading?.kind !== 'loop' || isEnded(state)) return null;
  const { checks = [], timing } = extras;
  const isUnchecked = checks.length > 0 && ownChecks(loaded).length === 0;
  const limits = limitsMissing(loaded, extras);
  if (!isUnchecked && Object.keys(limits).length === 0) return null;
  const added: Edits = isUnchecked
    ? {
        ...finishingOf(reading, checks),
        ...(timing === undefined ? {} : { timing: { ...loaded.spec.timing, ...timing } }),
      }
    : {};
  const edits = { ...added, ...dialectKept(asked, reading) };
  return { kind: 'file-edited', edits, limits, counted: state.counted, gone: false };
}

/** Later edits of the file keep the checks that it does not define: from now on they are in the spec, not in what was asked for at the start. */
export function dialectKept({ dialect }: Spec, { checks }: Document): Pick<Edits, 'dialect'> {
  if (dialect === undefined) return {};
  return { dialect: checks === undefined ? dialect : { ...dialect, checks: checks.map(({ name }) => name) } };
}

/** Once, and only where there was no limit, neither at the start nor now: what the user sets at a resume stays. */
function limitsMissing({ asked, state }: Loaded, { limits = {} }: Extras): Partial<Limits> {
  if (state.edits.dialect !== undefined) return {};
  const names = (['durationMaxMs', 'noProgressMax'] as const).filter(
    (name) => limits[name] !== undefined && asked.limits[name] === 'unlimited' && state.limits[name] === 'unlimited',
  );
  return Object.fromEntries(names.filter((name) => limits[name] !== 'unlimited').map((name) => [name, limits[name]]));
}
