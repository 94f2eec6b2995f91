import type { Event } from '../core/event.ts';
import type { FileReading } from '../core/foreign-file.ts';
import type { Edits, Limits, Spec } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { finishingOf, ownChecks } from './own-checks.ts';
import type { Loaded } from './ports.ts';
import type { UserAdditions } from './start-from-file.ts';

type Document = FileReading & { kind: 'loop' };

/**
 * Options of a stop that its loop does not have, because the loop began in a program or under another command of the hook. `null` = none.
 * The baseline has been taken, so protected files and the clean room come too late.
 */
export function lateExtras(loaded: Loaded, reading: FileReading | null, extras: UserAdditions): Event | null {
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
  const edits = { ...added, ...withOwnChecksKept(asked, reading) };
  return { kind: 'file-edited', edits, limits, counted: state.counted, gone: false };
}

/** Later edits of the file keep the checks that it does not define: from now on they are in the spec, not in the original request. */
export function withOwnChecksKept({ dialect }: Spec, { checks }: Document): Pick<Edits, 'dialect'> {
  if (dialect === undefined) return {};
  return { dialect: checks === undefined ? dialect : { ...dialect, checks: checks.map(({ name }) => name) } };
}

/** Applied once, and only if there was no limit at the start and is none now: limits that the user set at a resume stay. */
function limitsMissing({ asked, state }: Loaded, { limits = {} }: UserAdditions): Partial<Limits> {
  if (state.edits.dialect !== undefined) return {};
  const names = (['durationMaxMs', 'noProgressMax'] as const).filter(
    (name) => limits[name] !== undefined && asked.limits[name] === 'unlimited' && state.limits[name] === 'unlimited',
  );
  return Object.fromEntries(names.filter((name) => limits[name] !== 'unlimited').map((name) => [name, limits[name]]));
}
