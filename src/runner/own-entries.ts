import { decide } from '../core/decide.ts';
import type { Event } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import { foldAll } from '../core/journal.ts';
import type { Worker } from '../core/loop.ts';
import { isOfWorker } from '../core/running-time.ts';
import type { Loaded } from '../engine/ports.ts';
import { sharesProcesses } from '../system/worker-identity.ts';
import type { Drive, DriveOptions } from './drive-context.ts';

/**
 * The entries that this driver wrote. The agent runs as the same user and can append an entry that fits the chain, but it cannot make this
 * process remember having written it. The journal is read again only after somebody else has written to it.
 */
export type OwnEntries = {
  readonly note: (committed: Loaded) => void;
  /** The first entry since the last look that only we could have written, but did not. */
  readonly findForged: (loaded: Loaded) => Promise<Entry | null>;
};

export function rememberOwnEntries({ control, loop, worker }: DriveOptions): OwnEntries {
  const own = new Set<number>();
  /** Everything up to here has been examined; `null` = we have no lease yet, and earlier entries of others do not matter. */
  let seen: number | null = null;
  return {
    note: ({ head }) => {
      seen ??= head.revision;
      own.add(head.revision);
    },
    findForged: async ({ head }) => {
      if (seen === null || head.revision <= seen) return null;
      const from = seen;
      const isOwn = Array.from({ length: head.revision - from }, (_, index) => own.has(from + 1 + index));
      const entries = isOwn.includes(false) ? await control.entries(loop) : [];
      const forged = firstForged(entries, worker, (revision) => revision <= from || own.has(revision));
      seen = Math.max(head.revision, entries.length);
      own.clear();
      return forged;
    },
  };
}

/** While we drive, other processes may only record what a person does. As long as the lease is ours, only we record what a driver does. */
function firstForged(entries: readonly Entry[], worker: Worker, isKnown: (revision: number) => boolean): Entry | null {
  for (const entry of entries) {
    if (isKnown(entry.revision)) continue;
    const { event } = entry;
    // Taken over from another machine, which could not see that we are alive: from here on the loop is theirs.
    if (event.kind === 'worker-leased' && isFromElsewhere(event, worker)) return null;
    // Anybody may report that a wait has ended: the rules check the clock.
    const isDriving = event.kind === 'worker-leased' || (isOfWorker(event) && event.kind !== 'wait-ended');
    if (isDriving || isFalseProof(entries, entry)) return entry;
  }
  return null;
}

/** On this machine nobody takes a lease from a live process. */
function isFromElsewhere(event: Event & { kind: 'worker-leased' }, worker: Worker): boolean {
  return event.worker.id !== worker.id && !sharesProcesses(event.worker, worker);
}

/** A `complete` decision that the rules would not make for its event. */
function isFalseProof(entries: readonly Entry[], { revision, event, evidence, decision }: Entry): boolean {
  if (decision.kind !== 'complete') return false;
  const before = foldAll(entries.filter((entry) => entry.revision < revision));
  if (before === null) return true;
  const recomputed = decide(before.spec, before.state, event, evidence);
  return recomputed.kind !== 'complete' || recomputed.verified !== decision.verified;
}

/** Records the tampering in the journal, where `status` and `explain` find it, and returns the fault that the user sees. */
export async function reportTampering(drive: Drive, { revision, event }: Entry): Promise<Fault> {
  drive.heartbeat(drive.clock.read());
  await drive.control.post(drive.loop, { kind: 'tampering-found', revision });
  return new Fault(
    'JOURNAL_TAMPERED',
    `Revision ${revision} of loop ${drive.loop} (${event.kind}) was not written by the process that drives it, so someone forged it; an agent can, because it runs as your user. The loop is halted, and nothing since then is proven. Inspect it with "tireless explain ${drive.loop}"; "tireless resume ${drive.loop}" continues, and runs the checks again.`,
  );
}
