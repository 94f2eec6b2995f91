import type { AbstainReason } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import { idleMsIn } from '../core/session-activity.ts';
import type { Control, Loaded, TurnReport } from './ports.ts';
import { workBefore } from './takeover-signs.ts';

export type Posted =
  | { readonly kind: 'posted'; readonly loaded: Loaded }
  | { readonly kind: 'refused'; readonly loaded: Loaded; readonly because: AbstainReason };

export type PostPorts = {
  readonly control: Pick<Control, 'post'>;
  readonly sessionSigns: (loaded: Loaded) => Promise<SessionSigns>;
};

/** Posts an event that a user causes from outside the loop: from a terminal, or from a program. No agent is waiting for a reply. */
export async function postFromOutside(
  found: Loaded,
  event: Event,
  report: TurnReport,
  ports: PostPorts,
): Promise<Posted> {
  const work = await workInSession(found, ports);
  const { decision, loaded } = await ports.control.post(found.state.loop, event, { ...work, ...report, noReply: true });
  if (decision.kind === 'abstain') return { kind: 'refused', loaded: loaded ?? found, because: decision.because };
  return loaded === undefined ? { kind: 'refused', loaded: found, because: 'no-loop' } : { kind: 'posted', loaded };
}

/** From outside nobody sees whether the agent of a session is at work. */
async function workInSession(found: Loaded, { sessionSigns }: PostPorts): Promise<Pick<TurnReport, 'idleMs'>> {
  if (found.spec.driver !== 'session' || found.state.status !== 'running') return {};
  return workBefore({ idleMs: idleMsIn(await sessionSigns(found)) });
}
