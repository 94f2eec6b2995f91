/**
 * Waits for a person's answer after the stop that asked for it is over, then brings the agent back. One process per loop: its lease is an entry
 * in the journal, and so is everything it does. It never acts while the session is in use: whoever uses the session ends the lease.
 */
import type { Event, WatcherEnd } from '../../core/event.ts';
import { turnEnded } from '../../core/event.ts';
import type { Worker } from '../../core/loop.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import { answerOf, handleDialectEvent } from '../../engine/dialect-loop.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import type { Loaded, TurnReport } from '../../engine/ports.ts';
import type { EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { answersFor, isAnswered, isRefusal, noteRefusals } from './approvals.ts';
import { moveToHistory } from './history.ts';
import { resumedElsewhere } from './resumed-elsewhere.ts';
import type { FileLoop, VaultSession } from './vault-session.ts';
import { openVaultSession, placeOf, readFileLoop } from './vault-session.ts';
import type { WatchedLoop } from './watched-loop.ts';
import { watchProbe } from './watch-probe.ts';

export type StartedAgent = {
  /** The command line, shown to people. */
  readonly call: string;
  /** Never rejects. `failure`: `null` = it ended normally. */
  readonly done: Promise<{ readonly failure: string | null }>;
  /** Ends it and everything it started. */
  readonly end: () => Promise<void>;
};

export type WatchPorts = {
  readonly worker: Worker;
  /** Is the program of the session, or the hook that asked, still running? Then the session itself sees the answer. */
  readonly isSessionOpen: () => boolean;
  /** Continues the session with this prompt. */
  readonly startAgent: (prompt: string) => StartedAgent;
  /** If set, the loop leaves its session instead. */
  readonly handOver: ((loop: string) => void) | null;
  readonly sleep: (ms: number) => Promise<void>;
  readonly nowMs: () => number;
};

const POLL_MS = 500;
const AGENT_TRIES_MAX = 3;

type Watch = {
  readonly vaultSession: VaultSession;
  readonly watched: WatchedLoop;
  readonly ports: WatchPorts;
};

/** `failure`: `null` = it ended by itself with exit code 0. `since`: how many entries the journal had when it was started. */
type EndedAgent = { readonly call: string; readonly failure: string | null; readonly since: number };

type WatcherEvent = Event & { kind: 'watcher-began' | 'watcher-acted' | 'watcher-ended' };

/** `lost`: the loop has ended, or someone else has the lease. */
type End = WatcherEnd | 'lost';

/** Throws a Fault if loops cannot be read there. */
export async function watchApproval(
  watched: WatchedLoop,
  ports: WatchPorts,
  options: EmbeddedEngineOptions = {},
): Promise<void> {
  const engine = openEmbeddedEngine({ ...options, probe: watchProbe(options.probe) });
  try {
    const vaultSession = openVaultSession(engine, watched.vault, watched.session);
    const watch = { vaultSession, watched, ports };
    if (!note(watch, { kind: 'watcher-began', worker: ports.worker })) return;
    const why = await watchUntilEnd(watch);
    if (why !== 'lost') note(watch, { kind: 'watcher-ended', worker: ports.worker.id, why });
  } finally {
    engine.close();
  }
}

async function watchUntilEnd(watch: Watch): Promise<End> {
  const { watched, ports } = watch;
  let untilMs = ports.nowMs() + watched.watchMs;
  for (;;) {
    const fileLoop = look(watch);
    const loaded = heldLoop(watch, fileLoop);
    if (loaded === undefined) return 'lost';
    if (fileLoop.saysOf === 'ended') {
      post(watch, turnEnded());
      return 'lost';
    }
    const isPaused = loaded.state.status === 'paused';
    const resumed = ports.isSessionOpen() ? 'waits' : isPaused ? answer(watch, fileLoop) : resumedElsewhere(loaded);
    if (resumed === 'refused') return resumed;
    if (resumed !== 'waits') {
      const end = await bringBack(watch, resumed);
      if (end !== undefined) return end;
      untilMs = ports.nowMs() + watched.watchMs;
      continue;
    }
    if (ports.nowMs() >= untilMs) return 'overdue';
    await ports.sleep(POLL_MS);
  }
}

/** The answer is committed before anyone acts on it. */
function answer(watch: Watch, fileLoop: FileLoop): DialectHandled | 'waits' | 'refused' {
  const { engine } = watch.vaultSession;
  noteRefusals(watch.vaultSession, fileLoop, (event, report) =>
    engine.run(handleEvent(watch.watched.loop, event, report)),
  );
  const answers = answersFor(watch.vaultSession, fileLoop);
  // The agent reads a refusal at its next stop: nothing was approved, so no agent is started.
  const noReply = isRefusal(watch.vaultSession, fileLoop, answers);
  const handled = answers
    .map(({ event, report }) => post(watch, event, { ...report, ...(noReply ? { noReply } : {}) }))
    .at(-1);
  if (handled === undefined || !isAnswered(handled)) return 'waits';
  return noReply ? 'refused' : handled;
}

/** `undefined` = the loop is paused again, by its agent, by a person, or because its agent failed too often: the watch continues. */
async function bringBack(watch: Watch, resumed: DialectHandled): Promise<End | undefined> {
  const { vaultSession, ports } = watch;
  let handled = resumed;
  for (let attempt = 1; ; attempt++) {
    const { decision, loaded } = handled;
    if (decision.kind !== 'continue' || loaded === undefined) return undefined;
    if (ports.handOver !== null) {
      ports.handOver(loaded.state.loop);
      return 'handed-over';
    }
    if (attempt > 1) {
      await ports.sleep(decision.delayMs);
      const then = heldLoop(watch, look(watch));
      if (then?.state.status !== 'running') return then === undefined ? 'lost' : undefined;
    }
    const ended = await runAgent(watch, vaultSession.dialect.wordsFor(answerOf(handled)).text);
    const now = ended === 'lost' ? undefined : heldLoop(watch, look(watch));
    if (ended === 'lost' || now === undefined) return 'lost';
    if (now.state.status === 'paused') return undefined;
    handled = failedTurn(watch, now, ended);
  }
}

/** The agent is gone and its loop is not over. The failure is journaled; after too many in a row a person is asked. */
function failedTurn(watch: Watch, now: Loaded, { call, failure, since }: EndedAgent): DialectHandled {
  const { engine } = watch.vaultSession;
  const reported = engine.store
    .entries(now.state.loop)
    .slice(since)
    .findLast(({ event }) => event.kind === 'turn-ended' || event.kind === 'turn-failed');
  // The host reported the failure itself.
  if (reported?.event.kind === 'turn-failed' && now.state.faultsInRow < AGENT_TRIES_MAX)
    return { decision: reported.decision, loaded: now, reading: null };
  const detail =
    failure ??
    (reported === undefined
      ? `${call}: exit code 0, but no Stop hook reported its stop. Check the hooks: tireless doctor ${watch.watched.session.host}`
      : `${call}: exit code 0, although the loop continues`);
  const triesMax = AGENT_TRIES_MAX;
  return post(watch, {
    kind: 'turn-failed',
    iteration: null,
    worker: null,
    failure: { class: 'unknown', detail, triesMax },
  });
}

async function runAgent(watch: Watch, prompt: string): Promise<EndedAgent | 'lost'> {
  const { ports, vaultSession, watched } = watch;
  const noteAct = (act: 'agent-started' | 'agent-ended', detail: string): boolean =>
    note(watch, { kind: 'watcher-acted', worker: ports.worker.id, act, detail });
  const since = vaultSession.engine.store.entries(watched.loop).length;
  const agent = ports.startAgent(prompt);
  noteAct('agent-started', agent.call);
  for (;;) {
    const ended = await Promise.race([agent.done, ports.sleep(POLL_MS).then(() => undefined)]);
    if (ended !== undefined) {
      noteAct('agent-ended', ended.failure ?? 'it ended by itself');
      return { call: agent.call, failure: ended.failure, since };
    }
    if (isTaken(watch)) {
      // The user came back to the session: two agents in one conversation would not know about each other.
      await agent.end();
      return 'lost';
    }
  }
}

/** Posts an event of the loop, with its file. */
function post({ vaultSession, watched }: Watch, event: Event, report: TurnReport = {}): DialectHandled {
  const place = placeOf(vaultSession, watched.file);
  const { engine, vault } = vaultSession;
  // Nobody sees what this process does.
  const handled = engine.run(handleDialectEvent(place, event, { ...report, unseen: true }, watched.extras));
  if (['cancel', 'complete', 'halt'].includes(handled.decision.kind)) moveToHistory(engine, vault, place.live);
  return handled;
}

/** Journals what the watcher does, without looking at the file: an edit of the file is the answer it waits for. */
function note({ vaultSession: { engine }, watched }: Watch, event: WatcherEvent): boolean {
  return engine.run(handleEvent(watched.loop, event)).decision.kind === 'record';
}

function look({ vaultSession, watched }: Watch): FileLoop {
  // Otherwise an open handle would still show a journal that was removed.
  vaultSession.engine.close();
  return readFileLoop(vaultSession, placeOf(vaultSession, watched.file));
}

/** The loop, as long as we hold the lease on it. */
function heldLoop({ ports }: Watch, { loaded }: FileLoop): Loaded | undefined {
  return loaded?.state.watcher?.id === ports.worker.id ? loaded : undefined;
}

/** If the loop has ended, that is no reason to end the agent: the agent ended it. */
function isTaken(watch: Watch): boolean {
  const fileLoop = look(watch);
  return fileLoop.loaded !== undefined && heldLoop(watch, fileLoop) === undefined;
}
