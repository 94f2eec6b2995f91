import type { AbstainReason } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import { Fault, isFault } from '../core/fault.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import type { Loaded, TurnReport } from '../engine/ports.ts';
import { postFromOutside } from '../engine/post-event.ts';
import { abstainWords, outcomeSentence, stateSentence } from '../views/sentences.ts';
import type { LoopRequest } from './pick-loop.ts';
import { pickLoop } from './pick-loop.ts';
import { releaseLoop } from './release-loop.ts';
import type { World } from './services.ts';
import { fullStop } from '../views/printable.ts';

type Request = Omit<LoopRequest, 'cwd'> & {
  readonly event: (found: Loaded) => Event;
  /** What is known in addition to the event. */
  readonly report?: (found: Loaded) => TurnReport;
};

/** Finds the loop, posts one event, and returns the loop afterwards. If the core refuses the event, throws a Fault that explains why. */
export async function postOrRefuse(world: World, { event, report, ...wanted }: Request): Promise<Loaded> {
  const found = pickLoop(await world.services.store(), { ...wanted, cwd: world.cwd });
  const control = await world.services.control();
  const posted = event(found);
  const sessionSigns = (loaded: Loaded): Promise<SessionSigns> => world.services.sessionSigns(loaded, false);
  const ports = { control, sessionSigns };
  const answer = await postFromOutside(found, posted, report?.(found) ?? {}, ports).catch(async (error: unknown) => {
    // The journal may be unreadable for the same reason: the first error is the one to report.
    throw unwrittenFault(error, found, await control.get(found.state.loop).catch(() => undefined));
  });
  if (answer.kind === 'refused') throw refusal(answer.loaded, posted, answer.because);
  await releaseLoop(answer.loaded, world);
  return answer.loaded;
}

/** If the event is recorded and only the state file could not be written, the fault reports both. Any other error stays as it is. */
export function unwrittenFault(error: unknown, before: Loaded, now: Loaded | undefined): unknown {
  const isUnwritten = isFault(error) && (error.code === 'STORE_FULL' || error.code === 'STORE_UNWRITABLE');
  // A new entry alone proves nothing: it may be the hand edit that was found in the file before the event.
  if (!isUnwritten || now?.spec.dialect === undefined || now.state.status === before.state.status) return error;
  const what = `Loop ${now.state.loop} ${stateSentence(now)}, but its state file does not say so yet`;
  return new Fault(error.code, `${what}. ${error.message} The next stop in its session writes it.`, { cause: error });
}

const VERBS: Readonly<Partial<Record<Event['kind'], string>>> = {
  'pause-requested': 'pause',
  'cancel-requested': 'cancel',
  'steering-given': 'steer',
  'approval-given': 'approve',
  'approval-refused': 'reject',
};

function refusal({ spec, state }: Loaded, event: Event, because: AbstainReason): Fault {
  const what = `${VERBS[event.kind] ?? 'change'} loop ${state.loop}`;
  if (because === 'ended' && event.kind === 'cancel-requested' && state.status === 'cancelled')
    return new Fault('LOOP_ENDED', `Loop ${state.loop} is already ${outcomeSentence({ spec, state })}.`);
  if (because === 'ended')
    return new Fault(
      'LOOP_ENDED',
      `${fullStop(`Cannot ${what}: it ${stateSentence({ spec, state })}`)} "tireless explain ${state.loop}" shows why.`,
    );
  return new Fault(
    'LOOP_STATE',
    `Cannot ${what}: ${abstainWords(because)} (it ${stateSentence({ spec, state })}). Look at "tireless status ${state.loop}".`,
  );
}
