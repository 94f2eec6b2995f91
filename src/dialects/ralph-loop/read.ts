import { NATIVE_CLAIM } from '../../core/claim.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import { readFrontMatter } from '../front-matter.ts';
import { topicOf } from '../topic.ts';
import { descriptor } from './descriptor.ts';

export function read(text: string): FileReading {
  const file = readFrontMatter(text);
  if (file === undefined) return invalid('there is no YAML between two lines of "---" at its beginning');
  const { fields, body } = file;
  const iteration = numberIn(fields['iteration']);
  if (iteration === undefined) return invalid("'iteration' is not a number");
  const maximum = numberIn(fields['max_iterations'] ?? 0);
  if (maximum === undefined) return invalid("'max_iterations' is not a number");
  const active = switchIn(fields['active'] ?? true);
  if (active === undefined) return invalid("'active' is not true or false");
  const goal = body.trim();
  if (goal === '') return invalid('there is no prompt below the second "---"');
  const claim = textIn(fields['completion_promise']);
  return {
    kind: 'loop',
    active,
    session: textIn(fields['session_id']),
    goal,
    claim: { ...NATIVE_CLAIM, texts: claim === null ? [] : [claim] },
    criteria: [],
    counted: countedFrom(iteration, descriptor.counting),
    iterationsMax: turnsAllowed(maximum === 0 ? descriptor.maxIterationsDefault : maximum, descriptor.counting),
    continuation: '{{GOAL}}',
    identity: { topic: topicOf(goal), ...startIn(fields['started_at']) },
  };
}

function startIn(startedAt: unknown): { readonly startedAt?: string } {
  const text = textIn(startedAt);
  return text === null ? {} : { startedAt: text };
}

function invalid(why: string): FileReading {
  return { kind: 'invalid', why };
}

/** Accepts digits in quotes, because they look like a number to a reader. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function switchIn(value: unknown): boolean | undefined {
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'boolean' ? value : undefined;
}

/** The plugin writes `null` for none, and its shell cannot tell that from the word. */
function textIn(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text === 'null' ? null : text;
}
