import type { Event } from '../core/event.ts';
import type { FileReading } from '../core/foreign-file.ts';
import { documentLimits } from '../core/foreign-file.ts';
import type { Edits, Spec } from '../core/loop.ts';
import { REMOVED } from './file-owner.ts';
import { finishingOf, ownChecks } from './own-checks.ts';
import type { Loaded } from './ports.ts';
import type { UserAdditions } from './start-from-file.ts';

type Document = FileReading & { kind: 'loop' };

/**
 * A change to the file, as an event; `null` reading = the file is gone. Nothing is judged while the loop is paused, so the file's own
 * status is accepted.
 */
export function editOf(reading: Document | null, loaded: Loaded, extras: UserAdditions = {}): Event {
  const { asked, spec, state } = loaded;
  if (reading === null) return REMOVED;
  const { turnsBefore: before = 0 } = asked.dialect ?? {};
  const inFile = Math.max(0, reading.counted + before);
  if (reading.isMarkedDone === true ? state.status === 'paused' : !reading.active)
    return {
      ...REMOVED,
      counted: inFile,
      because: reading.isCompleted === true ? 'file-completed' : 'file-switched-off',
    };
  const isCounted = reading.agentCounts === true && reading.counted === state.counted + 1;
  const counted = isCounted ? state.counted : inFile;
  const edits: Edits = {
    goal: reading.goal,
    claim: reading.claim,
    criteria: reading.criteria,
    continuation: reading.continuation,
    ...(reading.timing === undefined ? {} : { timing: { ...asked.timing, ...reading.timing, ...extras.timing } }),
    ...(reading.checks === undefined && reading.finish === undefined ? {} : finishingOf(reading, ownChecks(loaded))),
    ...renamedIn(spec, reading),
  };
  // Only limits that the file can express are taken from it: limits that the user set at a resume stay.
  const { noProgressMax: _, ...ofDocument } = documentLimits(reading, before);
  const limits = { ...ofDocument, ...extras.limits };
  return { kind: 'file-edited', edits, limits, counted, gone: false };
}

/** If a loop kept its file under a new identity (its goal was reworded), the new identity distinguishes it from the next loop. */
function renamedIn({ dialect }: Spec, { identity, checks }: Document): Pick<Edits, 'dialect'> {
  if (dialect === undefined || identity === undefined) return {};
  const now = { ...dialect.identity, ...identity };
  const parts = ['id', 'startedAt', 'goal', 'topic'] as const;
  if (parts.every((part) => now[part] === dialect.identity?.[part])) return {};
  const names = checks === undefined ? {} : { checks: checks.map((check) => check.name) };
  return { dialect: { ...dialect, ...names, identity: now } };
}
