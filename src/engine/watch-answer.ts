/**
 * Waits for a person's answer after the stop that asked for it has ended, then brings the agent back. One process per loop: its lease is an
 * entry in the journal, and so is everything it does. It never acts while the session is in use: whoever uses the session ends the lease.
 */
import type { Event, WatcherEnd } from '../core/event.ts';
import { turnEnded } from '../core/event.ts';
import type { Entry } from '../core/journal.ts';
import type { SessionRef, Worker } from '../core/loop.ts';
import type { DialectHandled } from './dialect-loop.ts';
import type { Loaded } from './ports.ts';
import { resumedElsewhere } from './resumed-elsewhere.ts';

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

/** The loop that waits, with the file and the folders of its document. */
export type AwaitedLoop = {
  readonly session: SessionRef;
  /** Read again at every call. */
  readonly look: () => AwaitedState;
  /** Posts an event of the loop, with its file. */
  readonly post: (event: Event) => DialectHandled;
  /** Journals what the watcher does, without reading the file: an edit of the file is the answer it waits for. `false` = refused. */
  readonly note: (event: WatcherEvent) => boolean;
  readonly entries: () => readonly Entry[];
  /** The text for the agent. */
  readonly textFor: (handled: DialectHandled) => string;
};

export type AwaitedState = {
  /** `undefined` = it has ended. */
  readonly loaded: Loaded | undefined;
  /** According to its file, the loop has ended. */
  readonly isOver: boolean;
  /** Commits the person's answer before anyone acts on it. `refused`: nothing was approved, so no agent is started. */
  readonly takeAnswer: () => DialectHandled | 'waits' | 'refused';
};

type WatcherEvent = Event & { kind: 'watcher-began' | 'watcher-acted' | 'watcher-ended' };

const POLL_MS = 500;
const AGENT_TRIES_MAX = 3;

type Watch = { readonly awaited: AwaitedLoop; readonly ports: WatchPorts };

/** `failure`: `null` = it ended by itself with exit code 0. `since`: how many entries the journal had when it was started. */
type EndedAgent = { readonly call: string; readonly failure: string | null; readonly since: number };

/** `lost`: the loop has ended, or someone else has the lease. */
type End = WatcherEnd | 'lost';

/** Returns when there is nothing left to wait for; `watchMs` = how long to wait for an answer. */
export async function watchAnswer(awaited: AwaitedLoop, watchMs: number, ports: WatchPorts): Promise<void> {
  const { worker } = ports;
  if (!awaited.note({ kind: 'watcher-began', worker })) return;
  const why = await watchUntilEnd({ awaited, ports }, watchMs);
  if (why !== 'lost') awaited.note({ kind: 'watcher-ended', worker: worker.id, why });
}

async function watchUntilEnd(watch: Watch, watchMs: number): Promise<End> {
  const { awaited, ports } = watch;
  let untilMs = ports.nowMs() + watchMs;
  for (;;) {
    const now = awaited.look();
    const loaded = heldLoop(watch, now);
    if (loaded === undefined) return 'lost';
    if (now.isOver) {
      awaited.post(turnEnded());
      return 'lost';
    }
    const isPaused = loaded.state.status === 'paused';
    const resumed = ports.isSessionOpen() ? 'waits' : isPaused ? now.takeAnswer() : resumedElsewhere(loaded);
    if (resumed === 'refused') return resumed;
    if (resumed !== 'waits') {
      const end = await bringBack(watch, resumed);
      if (end !== undefined) return end;
      untilMs = ports.nowMs() + watchMs;
      continue;
    }
    if (ports.nowMs() >= untilMs) return 'overdue';
    await ports.sleep(POLL_MS);
  }
}

/** `undefined` = the loop is paused again, by its agent, by a person, or because its agent failed too often: the watch continues. */
async function bringBack(watch: Watch, resumed: DialectHandled): Promise<End | undefined> {
  const { awaited, ports } = watch;
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
      const then = heldLoop(watch, awaited.look());
      if (then?.state.status !== 'running') return then === undefined ? 'lost' : undefined;
    }
    const ended = await runAgent(watch, awaited.textFor(handled));
    const now = ended === 'lost' ? undefined : heldLoop(watch, awaited.look());
    if (ended === 'lost' || now === undefined) return 'lost';
    if (now.state.status === 'paused') return undefined;
    handled = failedTurn(awaited, now, ended);
  }
}

/** The agent is gone and its loop is open. The failure is journaled; after too many in a row a person is asked. */
function failedTurn(
  { session, entries, post }: AwaitedLoop,
  now: Loaded,
  { call, failure, since }: EndedAgent,
): DialectHandled {
  const reported = entries()
    .slice(since)
    .findLast(({ event }) => event.kind === 'turn-ended' || event.kind === 'turn-failed');
  // The host reported the failure itself.
  if (reported?.event.kind === 'turn-failed' && now.state.faultsInRow < AGENT_TRIES_MAX)
    return { decision: reported.decision, loaded: now, reading: null };
  const detail =
    failure ??
    (reported === undefined
      ? `${call}: exit code 0, but no Stop hook reported its stop. Check the hooks: tireless doctor ${session.host}`
      : `${call}: exit code 0, although the loop continues`);
  const triesMax = AGENT_TRIES_MAX;
  return post({ kind: 'turn-failed', iteration: null, worker: null, failure: { class: 'unknown', detail, triesMax } });
}

async function runAgent(watch: Watch, prompt: string): Promise<EndedAgent | 'lost'> {
  const { awaited, ports } = watch;
  const noteAct = (act: 'agent-started' | 'agent-ended', detail: string): boolean =>
    awaited.note({ kind: 'watcher-acted', worker: ports.worker.id, act, detail });
  const since = awaited.entries().length;
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

/** The loop, while we hold its lease. */
function heldLoop({ ports }: Watch, { loaded }: AwaitedState): Loaded | undefined {
  return loaded?.state.watcher?.id === ports.worker.id ? loaded : undefined;
}

/** The end of the loop is no reason to end the agent, because the agent caused it. */
function isTaken(watch: Watch): boolean {
  const now = watch.awaited.look();
  return now.loaded !== undefined && heldLoop(watch, now) === undefined;
}
