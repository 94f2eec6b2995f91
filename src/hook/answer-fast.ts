import { isEnded } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import { runSync } from '../engine/pipeline.ts';
import type { Effects, Loaded } from '../engine/ports.ts';
import type { Host, HostEnvironment, HostEvent } from '../hosts/host.ts';
import { answerPayload, runStepsNow } from './answer-payload.ts';
import type { NativePorts } from './native-loops.ts';
import { hostWording, nativeLoops } from './native-loops.ts';

/** The part of the world that the fast hook has. `probe` answers `undefined` for what takes more than a look. */
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
  /** `ended`: the loop that this event ended. It is released after the reply. */
  /** `failed`: the loop whose turn has just failed. Its agent may be woken after the reply. */
  | { readonly kind: 'reply'; readonly reply: Reply; readonly ended?: Loaded; readonly failed?: Loaded }
  /** Nothing was changed: the full hook answers the same payload. */
  | { readonly kind: 'needs-full-hook' }
  /** Something may have been changed. `name`: of the event, for the reply. */
  | { readonly kind: 'failed'; readonly name: string; readonly error: unknown };

const NEEDS_FULL_HOOK = 'The full hook answers this.';

function needFullHook(): never {
  throw new Error(NEEDS_FULL_HOOK);
}

/** Other events are rare, and need modules that a stop does not. */
function isFast({ kind }: HostEvent['event']): boolean {
  return kind === 'turn-ended' || kind === 'turn-failed' || kind === 'tool-requested';
}

/**
 * Nearly every stop: the same path as in the full hook, run at once, with the ports that need no other module. A port that is missing
 * hands over to the full hook, which is sound because nothing is written before the one commit. Never throws.
 */
export function answerFast(payload: unknown, world: FastWorld): FastAnswer {
  const { host } = world;
  const seen: Seen = { name: '', isWritten: false };
  try {
    const reply = runStepsNow(
      answerPayload(payload, {
        decode: (given) => decodeFast(given, world, seen),
        loops: nativeLoops(fastPorts(world, seen)),
        wording: hostWording(host),
        pause,
      }),
    );
    const { ended, failed } = seen;
    return {
      kind: 'reply',
      reply,
      ...(ended === undefined ? {} : { ended }),
      ...(failed === undefined ? {} : { failed }),
    };
  } catch (error) {
    const needsFullHook = error instanceof Error && error.message === NEEDS_FULL_HOOK;
    return seen.isWritten && !needsFullHook ? { kind: 'failed', name: seen.name, error } : { kind: 'needs-full-hook' };
  }
}

type Seen = { name: string; isWritten: boolean; ended?: Loaded; failed?: Loaded };

function decodeFast(payload: unknown, { host, environment }: FastWorld, seen: Seen): HostEvent | 'not-ours' {
  const event = host.decode(payload, environment);
  if (event === 'not-ours') return event;
  if (event.session !== null && (!isFast(event.event) || event.beside === true)) needFullHook();
  seen.name = event.name;
  return event;
}

function fastPorts({ effects, environment, home, program }: FastWorld, seen: Seen): NativePorts {
  const all: Effects = {
    ...effects,
    probe: (batch) => effects.probe(batch) ?? needFullHook(),
    commit: (...draft) => {
      seen.isWritten = true;
      return effects.commit(...draft);
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
      if (seen.isWritten && isEnded(loaded.state)) seen.ended = loaded;
      else if (seen.isWritten && event.kind === 'turn-failed') seen.failed = loaded;
    },
    answerTyped: needFullHook,
    offerLoops: needFullHook,
    answerMoved: needFullHook,
    noticeBeside: needFullHook,
    failedTurn: needFullHook,
    waitForBackground: needFullHook,
    isCutOff: needFullHook,
    noticeOnReturn: needFullHook,
  };
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
