import type { Event, SessionEvent } from '../core/event.ts';
import { isEnded } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import { runSync } from '../engine/pipeline.ts';
import type { Effects, Loaded } from '../engine/ports.ts';
import { handleSessionEvent } from '../engine/session-event.ts';
import type { Host, HostEnvironment } from '../hosts/host.ts';
import { DELAY_MS_MAX, named, saidOf, SILENT } from './host-answer.ts';

/** What the stops of an armed loop need of the world. `probe` answers `undefined` for what takes more than a look. */
export type HotWorld = {
  readonly host: Pick<Host, 'decode' | 'encode'>;
  readonly environment: HostEnvironment;
  readonly effects: Pick<Effects, 'load' | 'commit' | 'readClock' | 'loopOfSession'> & {
    readonly probe: (batch: Parameters<Effects['probe']>[0]) => ReturnType<Effects['probe']> | undefined;
  };
};

/** `elsewhere`: nothing was changed, and the command line's own hook has to answer. `failed`: something may have been. */
export type HotAnswer =
  /** `ended`: the loop that this event ended. */
  | { readonly kind: 'reply'; readonly reply: Reply; readonly ended?: Loaded }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly name: string; readonly error: unknown };

const ELSEWHERE = 'This is answered elsewhere.';

function never(): never {
  throw new Error(ELSEWHERE);
}

/**
 * What happens at nearly every stop, without the command line: the same decoder, engine and store, run synchronously. It never throws;
 * what it cannot do goes on elsewhere, which is sound because nothing is written before the one commit.
 */
export function hotAnswer(payload: unknown, { host, environment, effects }: HotWorld): HotAnswer {
  let name = '';
  let isWritten = false;
  try {
    const happened = host.decode(payload, environment);
    if (happened === 'not-ours' || happened.session === null)
      return { kind: 'reply', reply: host.encode(named(SILENT, '')) };
    const { session, event, report } = happened;
    ({ name } = happened);
    if (!isHot(event)) return { kind: 'elsewhere' };
    const answer = runSync(handleSessionEvent({ session, event, report }), {
      ...effects,
      probe: (batch) => effects.probe(batch) ?? never(),
      commit: (...draft) => {
        isWritten = true;
        return effects.commit(...draft);
      },
      create: never,
      newLoop: never,
      bindSession: never,
      bindFirst: never,
      readFile: never,
      hashText: never,
      replaceFile: never,
    });
    if (answer.kind === 'go-on' && answer.delayMs > 0) pause(Math.min(answer.delayMs, DELAY_MS_MAX));
    const { loaded } = answer;
    const ended = isWritten && loaded !== undefined && isEnded(loaded.state) ? { ended: loaded } : {};
    return { kind: 'reply', reply: host.encode(named(saidOf(answer), name)), ...ended };
  } catch (error) {
    const isElsewhere = error instanceof Error && error.message === ELSEWHERE;
    return isWritten && !isElsewhere ? { kind: 'failed', name, error } : { kind: 'elsewhere' };
  }
}

/** The rest comes seldom, and needs words and lists that a stop does not. */
function isHot({ kind }: Event | SessionEvent): boolean {
  return ['turn-ended', 'turn-failed', 'tool-requested'].includes(kind);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
