import type { Reply } from '../core/reply.ts';
import { runAsync } from '../engine/pipeline.ts';
import { handleSessionEvent } from '../engine/session-event.ts';
import type { Host, HostEvent } from '../hosts/host.ts';
import { commandPrefix } from '../hosts/typed-command.ts';
import { systemClock } from '../system/clock.ts';
import { afterEnd } from './after-end.ts';
import { offerOf, returnNotice } from './hook-offer.ts';
import type { Said } from './hook-said.ts';
import { DELAY_MS_MAX, named, saidOf, SILENT } from './hook-said.ts';
import { answerTyped } from './hook-typed.ts';
import type { World } from './services.ts';

/** One event of an agent's own session, answered in the host's words. */
export async function sessionReply(host: Host, event: HostEvent | 'not-ours', world: World): Promise<Reply> {
  if (event === 'not-ours' || event.session === null) return host.encode(named(SILENT, ''));
  const said = await answerTo(event, event.session, world);
  return host.encode(named(said, event.name));
}

async function answerTo(
  { event, report, cwd, transcriptPath: transcript }: HostEvent,
  session: NonNullable<HostEvent['session']>,
  world: World,
): Promise<Said> {
  if (event.kind === 'command-typed') return answerTyped(event, { session, cwd, transcript }, world);
  const { effects, forgetChecks } = await world.services.session();
  const answer = await runAsync(handleSessionEvent({ session, event, report }), effects);
  if (answer.loaded !== undefined && event.kind === 'turn-ended' && answer.loaded.state.plan.waiting !== true)
    forgetChecks(answer.loaded.state.loop);
  if (answer.loaded !== undefined) await afterEnd(answer.loaded, world);
  if (answer.loaded === undefined && event.kind === 'session-started') {
    const offer = await offerOf({ session, cwd }, world);
    return offer === null ? SILENT : offer;
  }
  if (answer.kind === 'go-on') await systemClock().sleep(Math.min(answer.delayMs, DELAY_MS_MAX)).done;
  const said = saidOf(answer);
  if (event.kind !== 'session-started' || answer.loaded === undefined) return said;
  return { ...said, notice: said.notice ?? returnNotice(answer.loaded, event.source, commandPrefix(session.host, world.env)) };
}
