import { Fault } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { promptOf } from '../core/prompt.ts';
import { answerEvent, answerReport, findOpenRequests } from '../engine/answer-request.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { openLoopOf } from '../engine/session-loops.ts';
import { abstainWords, outcomeSentence, pauseReason, stateSentence } from '../views/sentences.ts';
import type { TypedAnswer } from './answer-typed.ts';
import type { HookWorld } from './hook-world.ts';
import { fullStop } from '../views/printable.ts';

/** `/ralph-approve`, or `/ralph-reject TEXT` (`reason`), for the request of this session's loop. Throws `LOOP_STATE`, `AGENT_REFUSED`. */
export async function answerApproval(
  reason: string | null,
  session: SessionRef,
  world: HookWorld,
): Promise<TypedAnswer> {
  const { effects } = await world.services.session();
  const loop = await runAsync(openLoopOf(session), effects);
  if (loop === undefined) return showUser('tireless: this session has no open loop.');
  await refuseForged(loop, reason === null ? 'approve' : 'reject', world);
  const control = await world.services.control();
  const found = await control.get(loop);
  const event = found === undefined ? null : answerEvent(found, undefined, reason);
  const requests = await findOpenRequests(found === undefined ? [] : [found], world.services.dialectExtras);
  if (found === undefined || event === null) {
    const now = found === undefined ? '' : `: it ${stateSentence(found)}`;
    return showUser(`tireless: loop ${loop} is not waiting for approval${now}.`);
  }
  const what = questionOf(found);
  const { decision, loaded = found } = await control.post(loop, event, answerReport(requests.get(loop)));
  if (decision.kind === 'abstain')
    return showUser(`tireless: nothing changed: ${abstainWords(decision.because)} (${what}).`);
  await world.policies.releaseLoop(loaded);
  const sentence = `${reason === null ? 'you approved' : 'you rejected'} ${isFinish(found) ? 'the finish' : `(${what})`}`;
  const { spec, state } = loaded;
  if (isEnded(state)) return showUser(`tireless: ${sentence}. ${fullStop(`Loop ${loop}: ${outcomeSentence(loaded)}`)}`);
  if (state.pause !== null)
    return showUser(
      `tireless: ${sentence}. ${fullStop(`Loop ${loop} is still waiting: ${pauseReason(state.pause, state)}`)}`,
    );
  const notice = `tireless: ${sentence}. Loop ${loop} continues.`;
  return { kind: 'context', text: promptOf(spec, state), notice };
}

function isFinish({ state: { pause } }: Loaded): boolean {
  return pause?.cause === 'approval' && pause.request === 'finish';
}

/** The question that was answered, shown to the user beside the result. */
function questionOf({ state }: Loaded): string {
  return state.pause === null ? '' : pauseReason(state.pause, state);
}

/** A hook runs for its own session. If an agent calls it with a forged payload, it carries the mark of another loop, or of an outer one. */
async function refuseForged(loop: LoopId, command: string, { services }: HookWorld): Promise<void> {
  const caller = await services.agentCaller();
  if (caller === null || (caller.isSession && caller.loop === loop)) return;
  await (await services.control()).post(caller.loop, { kind: 'attempt-refused', command });
  throw new Fault(
    'AGENT_REFUSED',
    `Only a person may answer for loop ${loop}, and this call comes from the agent of loop ${caller.loop} (${caller.mark}).`,
  );
}

function showUser(text: string): TypedAnswer {
  return { kind: 'refuse', reason: text, notice: null };
}
