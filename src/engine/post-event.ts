import type { AbstainReason } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import { idleMsIn, isAgentIdle } from '../core/session-activity.ts';
import type { Control, Loaded, TurnReport } from './ports.ts';
import { workBefore } from './takeover-signs.ts';

export type PostResult =
  | { readonly kind: 'posted'; readonly loaded: Loaded }
  | { readonly kind: 'refused'; readonly loaded: Loaded; readonly because: AbstainReason };

export type PostPorts = {
  readonly control: Pick<Control, 'post'>;
  readonly sessionSigns: (loaded: Loaded) => Promise<SessionSigns>;
};

/** Posts an event that a user causes from outside the loop: in a terminal or a program. No agent is waiting for a reply. */
export async function postFromOutside(
  found: Loaded,
  event: Event,
  report: TurnReport,
  ports: PostPorts,
): Promise<PostResult> {
  const signs = await signsFor(found, event, ports);
  const known = { ...workIn(found, signs), ...unseenIn(found, event, signs), ...report, ...fromOutside(found) };
  const { decision, loaded } = await ports.control.post(found.state.loop, event, known);
  if (decision.kind === 'abstain') return { kind: 'refused', loaded: loaded ?? found, because: decision.because };
  return loaded === undefined ? { kind: 'refused', loaded: found, because: 'no-loop' } : { kind: 'posted', loaded };
}

/** No agent gets a reply, and one that is idle stays so. A message to a loop whose agent works changes nothing about that. */
export function fromOutside({ state }: Loaded): Pick<TurnReport, 'noReply' | 'rests'> {
  return { noReply: true, ...(isAgentIdle(state) ? { rests: true } : {}) };
}

/**
 * The agent works until its next stop, and the session shows then why it is not sent back. Documents have their own words for a pause. A
 * session that is gone shows nothing, and the mark that wakes its hook would stay.
 */
function unseenIn({ spec, state }: Loaded, event: Event, signs: SessionSigns | null): Pick<TurnReport, 'unseen'> {
  if (spec.driver !== 'session') return {};
  const isGone = state.sessionLeft === true || signs?.isAlive === false;
  const isShownLater =
    event.kind === 'cancel-requested' ? !isGone : event.kind === 'pause-requested' && spec.dialect === undefined;
  return isShownLater ? { unseen: true } : {};
}

async function signsFor(found: Loaded, event: Event, { sessionSigns }: PostPorts): Promise<SessionSigns | null> {
  const isNeeded = found.state.status === 'running' || event.kind === 'cancel-requested';
  return found.spec.driver === 'session' && isNeeded ? sessionSigns(found) : null;
}

/** From outside, it is unknown whether the agent of a session is at work. */
function workIn({ state }: Loaded, signs: SessionSigns | null): Pick<TurnReport, 'idleMs'> {
  if (signs === null || state.status !== 'running') return {};
  return workBefore({ idleMs: idleMsIn(signs) });
}
