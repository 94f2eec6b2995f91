import type { SessionRef } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import type { HostEvent } from '../hosts/host.ts';

/** A pause between iterations is spent in the hook, within the time that every host allows. */
export const DELAY_MS_MAX = 30_000;

/** Work of the hook, split where it needs the world. The fast hook runs it synchronously, the full one waits for promises. */
export type Steps<R> = Generator<() => unknown, R, unknown>;

/** An event of a session that the payload names. */
export type OurEvent = HostEvent & { readonly session: SessionRef };

/** `delayMs`: the pause before the reply. */
type Timed = { readonly delayMs: number };

/**
 * The path of every event through the hook. Its parameters are where the loop lives (`loops`) and the words of the reply (`wording`):
 * native loops are found by their session and reply in the words of the host, loops of a dialect by their file and in the words of the
 * document.
 */
export type HookPath<Found, Answer extends Timed> = {
  /** Never throws, whatever the payload. */
  readonly decode: (payload: unknown) => HostEvent | 'not-ours';
  readonly loops: Loops<Found, Answer>;
  readonly wording: Wording<Answer>;
  readonly pause: (ms: number) => void | Promise<void>;
};

export type Loops<Found, Answer extends Timed> = {
  /** Writes nothing, except that a loop follows a session that its host renamed. */
  readonly find: (event: OurEvent) => Steps<Found>;
  /** Contains the commit. Nothing after it may fail for lack of a port. */
  readonly handle: (event: OurEvent, found: Found) => Steps<Answer>;
};

export type Wording<Answer> = {
  /** For events that are not ours. */
  readonly silence: () => Reply;
  readonly reply: (answer: Answer, event: OurEvent) => Reply;
};

/** Decode, find the loop, handle the event, reply. */
export function* answerPayload<Found, Answer extends Timed>(
  payload: unknown,
  { decode, loops, wording, pause }: HookPath<Found, Answer>,
): Steps<Reply> {
  const decoded = decode(payload);
  if (decoded === 'not-ours' || decoded.session === null) return wording.silence();
  const event = { ...decoded, session: decoded.session };
  const found = yield* loops.find(event);
  const answer = yield* loops.handle(event, found);
  if (answer.delayMs > 0) yield* step(() => pause(Math.min(answer.delayMs, DELAY_MS_MAX)));
  return wording.reply(answer, event);
}

/** Requests one thing from the world: `const jobs = yield* step(() => ports.jobs(loop))`. */
export function* step<T>(act: () => T | Promise<T>): Generator<() => unknown, T, unknown> {
  // Both runners answer a step with its own result, which the type system cannot see through `yield`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (yield act) as T;
}

/** Every port must be synchronous. */
export function runStepsNow<R>(steps: Steps<R>): R {
  let next = steps.next();
  while (next.done !== true) next = steps.next(next.value());
  return next.value;
}

export async function runSteps<R>(steps: Steps<R>): Promise<R> {
  let next = steps.next();
  while (next.done !== true) next = steps.next(await next.value());
  return next.value;
}
