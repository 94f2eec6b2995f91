import type { Loop } from '../../core/journal.ts';
import type { Limits } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, maximumFor, numberOfLimit } from '../counting.ts';
import { jsonText, setValues } from '../json-file.ts';
import { startTimeOf } from '../start-time.ts';
import { descriptor } from './descriptor.ts';
import { DEFAULT_COMPLETION_PROMISE, read, readSupercodeFields } from './read.ts';

export function withSession(text: string, session: string): string {
  return setValues(text, [{ path: ['sessionId'], value: session }]);
}

export function resumed(text: string, { iterationsMax }: Partial<Limits>): string {
  return setValues(text, [
    { path: ['active'], value: true },
    ...(iterationsMax === undefined
      ? []
      : [{ path: ['maxIterations'], value: maximumFor(numberOfLimit(iterationsMax), descriptor.counting) }]),
  ]);
}

export function project(text: string | null, { state }: Loop): string | null {
  if (text === null) return null;
  const found = read(text);
  if (found.kind === 'invalid') return text;
  // Another session's loop has taken over the file: its counter is not ours to change, and the file is not ours to remove.
  if (found.session !== null && state.session !== null && found.session !== state.session.id) return text;
  // The user switched the loop off by hand, so the file stays as the user left it.
  if (isEnded(state)) return found.active ? null : text;
  return withIteration(text, counterFor(state.counted, descriptor.counting), state.updatedAt);
}

/** The text with its counter and the time of the change set; a counter that is already right is not touched. */
export function withIteration(text: string, iteration: number, at: string): string {
  const found = readSupercodeFields(text);
  if ('why' in found || found.fields.iteration === iteration) return text;
  return setValues(text, [
    { path: ['iteration'], value: iteration },
    { path: ['lastIterationAt'], value: at },
  ]);
}

export function newText(loop: Loop): string {
  const { spec, state } = loop;
  return jsonText({
    active: !isEnded(state),
    iteration: counterFor(state.counted, descriptor.counting),
    maxIterations: maximumFor(numberOfLimit(state.limits.iterationsMax), descriptor.counting),
    completionPromise: spec.claim.texts[0] ?? DEFAULT_COMPLETION_PROMISE,
    startedAt: startTimeOf(loop),
    prompt: spec.goal,
    sessionId: state.session?.id ?? '',
  });
}
