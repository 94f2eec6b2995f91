import type { SessionRef } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { handleSessionEvent } from '../engine/session-event.ts';
import type { Host, HostEvent } from '../hosts/host.ts';
import { commandPrefix } from '../hosts/typed-command.ts';
import { systemClock } from '../system/clock.ts';
import { offerOf, returnNotice } from './offers.ts';
import type { Said } from './host-answer.ts';
import { DELAY_MS_MAX, named, saidOf, SILENT } from './host-answer.ts';
import { answerTyped } from './answer-typed.ts';
import type { HookWorld } from './hook-world.ts';

/** One event of an agent's own session, answered in the host's words. */
export async function sessionReply(host: Host, event: HostEvent | 'not-ours', world: HookWorld): Promise<Reply> {
  if (event === 'not-ours' || event.session === null) return host.encode(named(SILENT, ''));
  const prefix = commandPrefix(host.capabilities, world.env);
  const said = await answerTo({ ...event, session: event.session, prefix }, world);
  return host.encode(named(said, event.name));
}

/** `prefix`: what stands before the names of our commands there. */
type Came = HostEvent & { readonly session: SessionRef; readonly prefix: string };

async function answerTo(
  { session, event, report, cwd, transcriptPath: transcript, prefix }: Came,
  world: HookWorld,
): Promise<Said> {
  if (event.kind === 'command-typed') return answerTyped(event, { session, cwd, transcript }, world);
  const { effects, forgetChecks } = await world.services.session();
  const answer = await runAsync(handleSessionEvent({ session, event, report }), effects);
  if (answer.loaded !== undefined && event.kind === 'turn-ended' && answer.loaded.state.plan.waiting !== true)
    forgetChecks(answer.loaded.state.loop);
  if (answer.loaded !== undefined) await world.policies.releaseLoop(answer.loaded);
  if (answer.loaded === undefined && event.kind === 'session-started') {
    const offer = await offerOf({ session, cwd }, prefix, world);
    return offer === null ? SILENT : offer;
  }
  if (answer.kind === 'go-on') await systemClock().sleep(Math.min(answer.delayMs, DELAY_MS_MAX)).done;
  const said = saidOf(answer);
  const { loaded } = answer;
  if (loaded === undefined || (event.kind !== 'session-started' && event.kind !== 'prompt-submitted')) return said;
  const back = event.kind === 'session-started' ? returnNotice(loaded, event.source, prefix) : null;
  return { ...said, notice: said.notice ?? (await cutOffNotice(loaded, world)) ?? back };
}

/** The host ended the hook of the last stop while its checks ran, or it was killed. Then it could not say so itself. */
async function cutOffNotice({ state }: Loaded, { services }: HookWorld): Promise<string | null> {
  if (state.status !== 'running' || state.plan.waiting === true) return null;
  const jobs = await services.jobs(state.loop);
  return jobs.length === 0
    ? null
    : `tireless: the last stop of loop ${state.loop} was not judged: its checks took longer than the hook was allowed to, or it was killed. The agent was allowed to stop; the loop goes on at the next stop ("tireless doctor" looks at the time a hook has)`;
}
