import { Fault } from '../core/fault.ts';
import { isEnded } from '../core/loop.ts';
import { answerable, answerEvent, answerReport, findOpenRequests } from '../engine/answer-request.ts';
import type { OpenRequest } from '../engine/dialect-extras.ts';
import type { Loaded } from '../engine/ports.ts';
import { actionSentence, pauseActions } from '../views/actions.ts';
import { fullStop, oneLine } from '../views/printable.ts';
import { outcomeSentence, pauseReason, stateSentence } from '../views/sentences.ts';
import { willBeBroughtBack } from './bring-back.ts';
import { postOrRefuse } from './post-event.ts';
import type { World } from './services.ts';

const NAME_CHARS_MAX = 100;

/** `null` = approved; otherwise the reason for the rejection. */
type Answer = { readonly given: string | undefined; readonly refusal: string | null };

/** Posts a person's answer to what a loop waits for, and returns lines about the loop afterwards. Throws `LOOP_STATE` if there is no request. */
export async function answerRequest(world: World, { given, refusal }: Answer): Promise<readonly string[]> {
  const { services } = world;
  const open = (await services.store()).list({ ended: false });
  const requests = await findOpenRequests(open, services.dialectExtras);
  const loaded = await postOrRefuse(world, {
    given,
    kind: 'waiting',
    fits: answerable(open, requests),
    event: (found) => answerEvent(found, requests.get(found.state.loop), refusal) ?? refuseUnasked(found),
    report: ({ state }) => answerReport(requests.get(state.loop)),
  });
  const request = requests.get(loaded.state.loop);
  return linesAfterAnswer(loaded, { world, open: request, refusal });
}

function refuseUnasked({ spec, state }: Loaded): never {
  const { loop, pause } = state;
  const next = pause === null ? `Look at "tireless status ${loop}".` : actionSentence(pauseActions(loop, pause));
  throw new Fault(
    'LOOP_STATE',
    `${fullStop(`Loop ${loop} is not waiting for approval: it ${stateSentence({ spec, state })}`)} ${next}`,
  );
}

type Answered = { readonly world: World; readonly open: OpenRequest | undefined; readonly refusal: string | null };

async function linesAfterAnswer(loaded: Loaded, { world, open, refusal }: Answered): Promise<readonly string[]> {
  const { spec, state } = loaded;
  const { loop } = state;
  if (isEnded(state)) return [`loop ${loop}: ${outcomeSentence({ spec, state })}`];
  const what = `${refusal === null ? 'approved' : 'rejected'} ${oneLine(open?.name ?? '', NAME_CHARS_MAX)}`;
  if (state.pause?.cause === 'approval')
    return [`${what}; loop ${loop} is still waiting: ${pauseReason(state.pause, state)}`];
  if (state.status === 'paused')
    return [`${what}; loop ${loop} is still paused, resume it with: tireless resume ${loop}`];
  if (spec.driver !== 'session') return [`recorded; continue with: tireless resume ${loop}`];
  return [
    `recorded; loop ${loop} continues in its session ${(await willBeBroughtBack(loaded, world)) ? 'by itself' : 'at the next stop; nothing resumes its agent, so write to it there'}`,
  ];
}
