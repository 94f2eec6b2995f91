import { NATIVE_CLAIM } from '../../core/claim.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import { readFrontMatter } from '../front-matter.ts';
import { descriptor } from './descriptor.ts';

export function read(text: string): FileReading {
  const file = readFrontMatter(text);
  if (file === undefined) return invalid('there is no YAML between two lines of "---" at its beginning');
  const { fields, body } = file;
  const iteration = numberIn(fields['iteration']);
  if (iteration === undefined) return invalid("'iteration' is not a number");
  const maximum = numberIn(fields['max_iterations'] ?? 0);
  if (maximum === undefined) return invalid("'max_iterations' is not a number");
  const goal = body.trim();
  if (goal === '') return invalid('there is no prompt below the second "---"');
  const claim = textIn(fields['completion_promise']);
  return {
    kind: 'loop',
    active: (fields['active'] ?? true) === true,
    session: textIn(fields['session_id']),
    goal,
    claim: { ...NATIVE_CLAIM, texts: claim === null ? [] : [claim] },
    criteria: [],
    counted: countedFrom(iteration, descriptor.counting),
    iterationsMax: turnsAllowed(maximum === 0 ? descriptor.maxIterationsDefault : maximum, descriptor.counting),
    continuation: '{{GOAL}}',
    ...identityIn(fields['started_at']),
  };
}

function identityIn(startedAt: unknown): { readonly identity?: { readonly startedAt: string } } {
  const text = textIn(startedAt);
  return text === null ? {} : { identity: { startedAt: text } };
}

function invalid(why: string): FileReading {
  return { kind: 'invalid', why };
}

/** Also digits in quotes: what looks like a number to a reader is one. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The plugin writes `null` for none, and its shell cannot tell that from the word. */
function textIn(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text === 'null' ? null : text;
}
