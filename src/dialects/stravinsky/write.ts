import type { Loop } from '../../core/journal.ts';
import type { Limits } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, maximumFor, numberOfLimit, resumedMaximum } from '../counting.ts';
import { setFields } from '../front-matter.ts';
import { descriptor } from './descriptor.ts';
import { parseState } from './read.ts';

export function project(text: string | null, { spec, state }: Loop): string | null {
  // The document deletes the file on success. At the limit it stays, so that a raised maximum can continue the loop.
  if (text === null || state.status === 'completed') return null;
  const now = parseState(text);
  if (now === undefined) return text;
  const counter = counterFor(state.counted, descriptor.counting) - (spec.dialect?.turnsBefore ?? 0);
  return setFields(text, {
    ...(now.iteration_count === counter ? {} : { iteration_count: counter }),
    ...(state.status === 'cancelled' && now.active ? { active: false } : {}),
  });
}

export function resumed(text: string, { iterationsMax }: Partial<Limits>): string {
  const now = parseState(text);
  if (now === undefined) return text;
  return setFields(text, {
    ...resumedMaximum(iterationsMax, descriptor.counting),
    ...(now.active ? {} : { active: true }),
  });
}

export function newText({ spec, state }: Loop): string {
  return [
    '---',
    `iteration_count: ${counterFor(state.counted, descriptor.counting)}`,
    `max_iterations: ${maximumFor(numberOfLimit(state.limits.iterationsMax), descriptor.counting)}`,
    `completion_promise: ${JSON.stringify(spec.claim.texts.join('|'))}`,
    `active: ${!isEnded(state)}`,
    '---',
    spec.goal.trim(),
    '',
  ].join('\n');
}
