import type { Event } from '../core/event.ts';
import { isEnded } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import { runSync } from '../engine/pipeline.ts';
import type { Effects, Loaded } from '../engine/ports.ts';
import type { Host, HostEnvironment, HostEvent } from '../hosts/host.ts';
import { answerPayload, runStepsNow } from './answer-payload.ts';
import type { NativePorts } from './native-loops.ts';
import { hostWording, nativeLoops } from './native-loops.ts';

/** The ports of the fast hook. `probe` returns `undefined` for anything that takes more than a look. */
export type FastWorld = {
  readonly host: Pick<Host, 'decode' | 'encode'>;
  readonly environment: HostEnvironment;
  readonly home: string;
  /** The command line as a file. */
  readonly program: string;
  readonly effects: Pick<Effects, 'load' | 'commit' | 'readClock' | 'loopOfSession'> & {
    readonly probe: (batch: Parameters<Effects['probe']>[0]) => ReturnType<Effects['probe']> | undefined;
  };
};

export type FastAnswer =
  /**
   * `event`: the event that was handled; absent = not ours. `ended`: the loop that this event ended, to be released after the reply.
   * `failed`: the loop whose turn has just failed; its agent may be woken after the reply.
   */
  | {
      readonly kind: 'reply';
      readonly reply: Reply;
      readonly event?: HostEvent['event']['kind'];
      readonly ended?: Loaded;
      readonly failed?: Loaded;
    }
  /** Nothing was changed: the full hook handles the same payload. */
  | { readonly kind: 'needs-full-hook' }
  /** Something may have been changed. `name`: of the event, for the reply. */
  | { readonly kind: 'failed'; readonly name: string; readonly error: unknown };

function needFullHook(): never {
  throw new Error('the full hook answers this');
}

/** Other events are rare, and need modules that a stop does not. */
function isFast({ kind }: HostEvent['event']): boolean {
  return kind === 'turn-ended' || kind === 'turn-failed' || kind === 'tool-requested';
}

/**
 * What the fast hook may commit: each of these is the last entry of its path. Anything else (an outcome is shown, a pause ends) is followed
 * by steps that may need the full hook, which would no longer find the state before the commit.
 */
const LAST_ENTRIES: ReadonlySet<Event['kind']> = new Set([
  'turn-ended',
  'turn-failed',
  'attempt-refused',
  'goal-announced',
]);

/**
 * Nearly every stop: the path of the full hook, run synchronously, with the ports that need no other module. If a port is missing, the full
 * hook takes over. That is safe because only the last entry of a path is committed here (`LAST_ENTRIES`). Never throws.
 */
export function answerFast(payload: unknown, world: FastWorld): FastAnswer {
  const { host } = world;
  const notes: RunNotes = { name: '', isWritten: false };
  try {
    const reply = runStepsNow(
      answerPayload(payload, {
        decode: (given) => decodeFast(given, world, notes),
        loops: nativeLoops(fastPorts(world, notes)),
        wording: hostWording(host),
        pause: needFullHook,
      }),
    );
    const { event, ended, failed } = notes;
    return {
      kind: 'reply',
      reply,
      ...(event === undefined ? {} : { event }),
      ...(ended === undefined ? {} : { ended }),
      ...(failed === undefined ? {} : { failed }),
    };
  } catch (error) {
    return notes.isWritten ? { kind: 'failed', name: notes.name, error } : { kind: 'needs-full-hook' };
  }
}

type RunNotes = {
  name: string;
  event?: HostEvent['event']['kind'];
  isWritten: boolean;
  ended?: Loaded;
  failed?: Loaded;
};

function decodeFast(payload: unknown, { host, environment }: FastWorld, notes: RunNotes): HostEvent | 'not-ours' {
  const event = host.decode(payload, environment);
  if (event === 'not-ours') return event;
  if (event.session !== null && (!isFast(event.event) || event.mayHaveOtherLoop === true)) needFullHook();
  notes.name = event.name;
  notes.event = event.event.kind;
  return { ...event, report: { ...event.report, answeredMs: needFullHook } };
}

function fastPorts({ effects, environment, home, program }: FastWorld, notes: RunNotes): NativePorts {
  const all: Effects = {
    ...effects,
    load: (loop) => {
      const loaded = effects.load(loop);
      // Only the full hook knows how long a pause may take.
      return (loaded?.spec.timing.pauseBetweenMs ?? 0) > 0 ? needFullHook() : loaded;
    },
    probe: (batch) => effects.probe(batch) ?? needFullHook(),
    commit: (loop, head, draft) => {
      if (!LAST_ENTRIES.has(draft.event.kind)) needFullHook();
      // Set even if it throws, because then it is unknown whether it was written.
      notes.isWritten = true;
      const result = effects.commit(loop, head, draft);
      notes.isWritten = result.kind === 'committed';
      return result;
    },
    create: needFullHook,
    newLoop: needFullHook,
    bindSession: needFullHook,
    bindFirst: needFullHook,
    readFile: needFullHook,
    hashText: needFullHook,
    replaceFile: needFullHook,
    tryWrite: needFullHook,
    countTurn: needFullHook,
  };
  return {
    own: { home, user: environment.variables['HOME'], program },
    run: (pipeline) => runSync(pipeline, all),
    settle: (loaded, { event }) => {
      if (notes.isWritten && isEnded(loaded.state)) notes.ended = loaded;
      else if (notes.isWritten && event.kind === 'turn-failed') notes.failed = loaded;
    },
    answerTyped: needFullHook,
    offerLoops: needFullHook,
    answerMoved: needFullHook,
    noticeOtherLoop: needFullHook,
    failedTurn: needFullHook,
    waitForBackground: needFullHook,
    isCutOff: needFullHook,
    noticeOnReturn: needFullHook,
  };
}
