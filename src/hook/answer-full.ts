import { isEnded } from '../core/loop.ts';
import { LOOP_VARIABLE } from '../core/people-commands.ts';
import type { Reply } from '../core/reply.ts';
import type { ReplyForm } from '../dialects/dialect.ts';
import { markMoveShown } from '../engine/moved-away.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import type { Host, HostEvent } from '../hosts/host.ts';
import { decodeNotice, withAnswers } from '../hosts/notices.ts';
import { commandPrefix } from '../hosts/typed-command.ts';
import type { OurEvent } from './answer-payload.ts';
import { answerPayload, runSteps } from './answer-payload.ts';
import { answerHidden } from './answer-hidden.ts';
import { answerTyped } from './answer-typed.ts';
import { answerOnce } from './answer-once.ts';
import type { DialectRequest } from './dialect-scene.ts';
import { dialectLoops } from './dialect-loops.ts';
import { dialectWording } from './dialect-wording.ts';
import type { HookWorld, SessionWorld } from './hook-world.ts';
import type { NativePorts } from './native-loops.ts';
import { hostWording, nativeLoops, SILENT } from './native-loops.ts';
import { waitForBackground } from './wait-for-background.ts';
import { otherLoopNotice, movedNotice, offerOf, returnNotice } from './offers.ts';

/** The host of the payload, and whether the loop is native (`null`) or lives in the file of a dialect. */
export type HookRequest = {
  readonly host: Host;
  /** The payload is a notice of the host about its screen. */
  readonly isNotice?: boolean;
  readonly inDialect: (DialectRequest & { readonly form: ReplyForm }) | null;
};

/** One event of a host, with every port: checks, typed commands, dialects. */
export async function answerFully(payload: unknown, request: HookRequest, world: HookWorld): Promise<Reply> {
  const { host, inDialect, isNotice = false } = request;
  const session = await world.services.session();
  const { effects, hostEnvironment } = session;
  const isInOuterLoop = await runsInOuterLoop(world);
  const environment = { ...hostEnvironment, variables: world.env };
  const known = isNotice ? decodeNotice(host, payload, environment) : host.decode(payload, environment);
  const read = known === 'not-ours' ? known : withAnswers(known, host, hostEnvironment.transcripts);
  if (read !== 'not-ours') session.limitTime({ host: host.id, event: read.name, cwd: read.cwd });
  const isSilent = isInOuterLoop && read !== 'not-ours' && read.event.kind !== 'tool-requested';
  const decoded = isSilent ? 'not-ours' : await leaveUsersCommand(read, host, world);
  const pause = (ms: number): Promise<void> => world.pause(Math.max(0, Math.min(ms, world.services.hookLeftMs())));
  const shared = { decode: () => decoded, pause };
  if (inDialect === null) {
    const loops = answerOnce(nativeLoops(fullPorts(host, session, world)), session);
    return runSteps(answerPayload(payload, { ...shared, loops, wording: hostWording(host) }));
  }
  const loops = dialectLoops(inDialect, {
    ...world,
    effects,
    run: (pipeline) => runAsync(pipeline, effects),
    dialectExtras: world.services.dialectExtras,
    waitForBackground: backgroundWaiter(host, hostEnvironment, world),
    processes: world.services.sessionProcesses,
  });
  return runSteps(answerPayload(payload, { ...shared, loops, wording: dialectWording(inDialect.form, host) }));
}

/**
 * A session that tireless itself started for an iteration already has its loop: it takes no other, not even one in a file that any session
 * may take, and is offered none. Actions that are forbidden to agents are refused as before.
 */
async function runsInOuterLoop({ env, services }: HookWorld): Promise<boolean> {
  const loop = env[LOOP_VARIABLE] ?? '';
  if (loop === '') return false;
  const caller = await services.agentCaller();
  if (caller?.mark !== LOOP_VARIABLE) return false;
  return (await services.store()).load(caller.loop)?.spec.driver === 'outer';
}

/** The user's own `/ralph` stays theirs: if it arrived as a prompt it is one, otherwise the host runs it without us. */
async function leaveUsersCommand(
  decoded: HostEvent | 'not-ours',
  { id, capabilities }: Host,
  { typedCommands }: HookWorld,
): Promise<HostEvent | 'not-ours'> {
  if (decoded === 'not-ours' || decoded.event.kind !== 'command-typed') return decoded;
  const { command, args, prefix = '/' } = decoded.event;
  // A longer prefix names tireless.
  const own = prefix.length > 1 ? undefined : await typedCommands.usersOwn(id, command, decoded.cwd);
  if (own === undefined || own.isHidden) return decoded;
  if (capabilities.reportsCommands === true) return 'not-ours';
  return { ...decoded, event: { kind: 'prompt-submitted', prompt: `${prefix}${command} ${args}` } };
}

function fullPorts(
  host: Host,
  { effects, forgetChecks, hostEnvironment }: SessionWorld,
  world: HookWorld,
): NativePorts {
  const prefix = commandPrefix(host.capabilities, world.env);
  return {
    own: { home: world.services.home(), user: world.env['HOME'] },
    run: (pipeline) => runAsync(pipeline, effects),
    answerMoved: async (loaded) => {
      await runAsync(markMoveShown(loaded), effects);
      return { kind: 'silent', notice: movedNotice(loaded, `${prefix}ralph --resume ${loaded.state.loop} --force`) };
    },
    noticeOtherLoop: async (loaded, event) => {
      // A loop that only observes runs beside it on purpose.
      if (loaded.spec.observe === true || isEnded(loaded.state)) return null;
      const [other] = await world.policies.otherLoopsIn(event);
      const isNew = other !== undefined && (await world.services.noteOnce(loaded.state.loop, other.what));
      return isNew ? otherLoopNotice(loaded, other, prefix) : null;
    },
    settle: async (loaded, { event, session }) => {
      if (event.kind === 'turn-ended' && loaded.state.plan.waiting !== true) forgetChecks(loaded.state.loop);
      await world.policies.releaseLoop(loaded);
      if (!isEnded(loaded.state)) await world.services.noteSession(loaded.state.loop, session);
    },
    answerTyped: async (typed, { session, cwd, transcriptPath: transcript }) =>
      (await answerHidden(typed, { host, cwd }, world)) ?? answerTyped(typed, { session, cwd, transcript }, world),
    offerLoops: async (event) => (await offerOf(event, prefix, world)) ?? SILENT,
    isCutOff: async ({ state }) => {
      const isCutOff = (await world.services.jobs(state.loop)).length > 0;
      if (isCutOff) world.services.hurryHook();
      return isCutOff;
    },
    waitForBackground: backgroundWaiter(host, hostEnvironment, world),
    failedTurn: async ({ session, transcriptPath }) => world.services.failedTurn(session, transcriptPath),
    noticeOnReturn: async (loaded, event) =>
      (await cutOffNotice(loaded, world)) ?? noticeOfReturn(loaded, event, prefix),
  };
}

/** `loaded`: the loop whose stop waits; absent = its file has none yet. */
function backgroundWaiter(
  { turns }: Host,
  { transcripts, nowMs }: SessionWorld['hostEnvironment'],
  { services, pause }: HookWorld,
): (event: OurEvent, loaded?: Loaded) => Promise<boolean> {
  return async ({ transcriptPath }, loaded) => {
    const messageWaits = turns?.messageWaits;
    // If the end of that work cannot be noticed, the agent must not wait for the hook.
    if (messageWaits === undefined || transcriptPath === null) return false;
    const store = await services.store();
    return waitForBackground({
      messageWaits: () => messageWaits(transcriptPath, transcripts),
      isSame: async () => loaded === undefined || store.load(loaded.state.loop)?.head.revision === loaded.head.revision,
      hookLeftMs: services.hookLeftMs,
      nowMs,
      sleep: pause,
    });
  };
}

function noticeOfReturn(loaded: Loaded, { event }: OurEvent, prefix: string): string | null {
  return event.kind === 'session-started' ? returnNotice(loaded, event.how, prefix) : null;
}

/** The host ended the hook of the last stop while its checks were running, or it was killed. That hook could not report it. */
async function cutOffNotice({ state }: Loaded, { services }: HookWorld): Promise<string | null> {
  const isOnTrial = state.room?.kind === 'kept' && state.room.trial !== undefined;
  if (state.status !== 'running' || state.plan.waiting === true || isOnTrial) return null;
  const jobs = await services.jobs(state.loop);
  return jobs.length === 0
    ? null
    : `tireless: the last stop of loop ${state.loop} was not judged: its hook ended before the checks did. You wrote or pressed Esc meanwhile, the host gave it too little time ("tireless doctor" checks that), or it was killed. The loop continues at the next stop`;
}
