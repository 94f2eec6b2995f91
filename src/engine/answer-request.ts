import type { Event } from '../core/event.ts';
import type { LoopId } from '../core/loop.ts';
import type { DialectExtras, OpenRequest } from './dialect-extras.ts';
import type { Loaded, TurnReport } from './ports.ts';

/** Open requests of paused loops in documents, by loop. */
export type OpenRequests = ReadonlyMap<LoopId, OpenRequest>;

/** `extrasOf`: the extras of the dialect with this name. */
export async function findOpenRequests(
  loops: readonly Loaded[],
  extrasOf: (dialect: string) => Promise<Pick<DialectExtras, 'openRequest'>>,
): Promise<OpenRequests> {
  const found = new Map<LoopId, OpenRequest>();
  for (const loaded of loops) {
    const { spec, state } = loaded;
    if (spec.dialect === undefined || state.status !== 'paused') continue;
    const { openRequest } = await extrasOf(spec.dialect.name);
    const request = openRequest?.(loaded) ?? null;
    if (request !== null) found.set(state.loop, request);
  }
  return found;
}

/**
 * The loops that an answer without a name may be meant for: those with an open request. If there are none, loops that are paused for
 * another reason, so that the refusal can name one.
 */
export function answerable(loops: readonly Loaded[], requests: OpenRequests): (loaded: Loaded) => boolean {
  const isAsking = ({ state }: Loaded): boolean => state.pause?.request !== undefined || requests.has(state.loop);
  return loops.some(isAsking) ? isAsking : ({ state }) => state.status === 'paused';
}

/** A person's answer as an event; `refusal: null` = they approve. `null` = the loop has no open request. */
export function answerEvent({ state }: Loaded, open: OpenRequest | undefined, refusal: string | null): Event | null {
  if (open?.isOfPause === true)
    return refusal === null ? { kind: 'resume-requested' } : { kind: 'steering-given', text: refusal };
  const request = open?.name ?? state.pause?.request;
  if (request === undefined) return null;
  return refusal === null
    ? { kind: 'approval-given', request }
    : { kind: 'approval-refused', request, reason: refusal };
}

/** The report that is posted with that event. */
export function answerReport(open: OpenRequest | undefined): TurnReport {
  return open === undefined ? {} : { approvalDue: open.next ?? { request: open.name, question: open.name } };
}
