import type { FileReading } from '../../src/core/foreign-file.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectHandled } from '../../src/engine/dialect-loop.ts';
import { lostOf } from './dialect-probe.ts';
import type { DialectSample } from './dialect-sample.ts';
import {
  absolute,
  activeReading,
  after,
  holding,
  mustLoad,
  sessionOf,
  stop,
  textOf,
  troubleIn,
} from './dialect-sample.ts';
import type { DialectWorld } from './dialect-world.ts';

/** What can happen to one byte of a file. */
export type Damage = (bytes: Buffer, at: number) => Buffer;

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'is 0x00': (bytes, at) => replaced(bytes, at, 0x00),
  'is 0xFF': (bytes, at) => replaced(bytes, at, 0xff),
  'is a quote': (bytes, at) => replaced(bytes, at, '"'.charCodeAt(0)),
  'is a line end': (bytes, at) => replaced(bytes, at, '\n'.charCodeAt(0)),
  'is a brace': (bytes, at) => replaced(bytes, at, '{'.charCodeAt(0)),
  'has its lowest bit flipped': (bytes, at) => replaced(bytes, at, (bytes[at] ?? 0) ^ 1),
  'is gone': (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  'is there twice': (bytes, at) => Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)]),
  'and all behind it is gone': (bytes, at) => bytes.subarray(0, at),
};

function replaced(bytes: Buffer, at: number, by: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = by;
  return copy;
}

/** The result of all damages to one file: how many different texts were judged, and what was wrong with which. */
export type DamageReport = { readonly judged: number; readonly harm: readonly string[] };

/** Enough to see what they have in common; more would only hide it. */
const HARM_MAX = 5;

/** `begun`: whose loop runs when the damaged file replaces its file. `stride`: damage every so many bytes. */
export function damageReport(
  dialect: Dialect,
  sample: DialectSample,
  begun: DialectSample,
  stride: number,
): DamageReport {
  const bytes = Buffer.from(sample.text);
  const midway = midwayOf(dialect, begun);
  const judged = new Set<string>([sample.text]);
  const harm: string[] = [];
  for (let at = 0; at < bytes.length && harm.length < HARM_MAX; at += stride) {
    for (const [kind, damage] of Object.entries(DAMAGES)) {
      const text = damage(bytes, at).toString('utf8');
      // The same text in another way: it makes no difference which of two equal bytes is removed.
      if (judged.has(text)) continue;
      judged.add(text);
      const found = [...harmIn(dialect, { ...sample, text }), ...harmMidway(dialect, midway, { ...begun, text })];
      if (found.length > 0) harm.push(`byte ${at} ${kind}: ${found.join('; ')}`);
    }
  }
  return { judged: judged.size, harm };
}

/** A loop after its first stop, as often as needed. */
export type Midway = () => DialectWorld;

/** Made once for all cases: what they share is most of the work. */
export function midwayOf(dialect: Dialect, sample: DialectSample): Midway {
  const world = after(1, dialect, sample);
  if (world === undefined) throw new Error('the loop of this sample ends with its first stop');
  return () => world.fork();
}

/**
 * What a stop does wrong with a file that it finds; empty = nothing. It must never crash; a file that is unreadable or not for this session is not
 * touched and starts nothing; in every case, the user's text is still there.
 */
export function harmIn(dialect: Dialect, sample: DialectSample): string[] {
  const { text } = sample;
  const found = dialect.read(text);
  const world = holding(dialect, sample);
  const handled = stopped(world, sample);
  if (typeof handled === 'string') return [handled];
  const { decision } = handled;
  const named = activeReading(found)?.session;
  const isQuiet = named !== null && named !== sessionOf(sample);
  const because = decision.kind === 'abstain' ? decision.because : undefined;
  return [
    ...(because === (isQuiet ? 'no-loop' : undefined) ? [] : [`decided ${decision.kind} ${because ?? ''}`]),
    ...(isQuiet && textOf(world, sample) !== text ? ['a file that is none of its business was written'] : []),
    ...(isQuiet && world.store.list({ ended: 'both' }).length > 0 ? ['a loop was started'] : []),
    ...troubleIn(world, sample, text).map((lost) => `lost ${lost}`),
    ...unboundedIn(found),
  ];
}

/** The same in the middle of a loop whose file was replaced by this text. */
export function harmMidway(dialect: Dialect, midway: Midway, sample: DialectSample): string[] {
  const { text } = sample;
  const world = midway();
  world.files.set(absolute(sample), text);
  const found = dialect.read(text);
  const projected = found.kind === 'loop' ? dialect.project(text, mustLoad(world, sample)) : text;
  const handled = stopped(world, sample);
  if (typeof handled === 'string') return [`midway: ${handled}`];
  const { decision } = handled;
  const isBroken = found.kind === 'invalid';
  const isLeftAlone = decision.kind === 'abstain' && decision.because === 'file-unreadable';
  return [
    ...(isBroken && !isLeftAlone ? [`midway: decided ${decision.kind} on a broken file`] : []),
    ...(isBroken && textOf(world, sample) !== text ? ['midway: a broken file was written'] : []),
    ...troubleIn(world, sample, text).map((lost) => `midway: lost ${lost}`),
    ...(projected === null || projected === text ? [] : lostOf(text, projected, sample.keys)).map(
      (lost) => `midway, written at once: lost ${lost}`,
    ),
  ];
}

function stopped(world: DialectWorld, sample: DialectSample): DialectHandled | string {
  try {
    return stop(world, sample);
  } catch (error) {
    return `crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function unboundedIn(found: FileReading): string[] {
  if (found.kind !== 'loop') return [];
  const { counted, iterationsMax } = found;
  // A maximum of 0 or less is one too: it is used up at the first stop.
  const isFinite = iterationsMax === 'unlimited' || Number.isSafeInteger(iterationsMax);
  return [
    ...(Number.isSafeInteger(counted) ? [] : [`counted ${counted}`]),
    ...(isFinite ? [] : [`maximum ${iterationsMax}`]),
  ];
}
